package io.gpusched.core.state;

import io.gpusched.core.model.Digest;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.pool.CacheState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// A node and a model that it holds, loads, or should hold.
///
/// @param state `EVICTED` for a model that the node should hold and does not have yet
/// @param wanted whether the scheduler wants it there ahead of need
/// @param reported whether the node reported it; otherwise it follows from a replica that was ready
/// @param bytes what it takes of the node's cache, as the node reported; 0 where it is not known
/// @param lastUsed when it arrived, or a job that used it left the node; null before it arrived
/// @param why why it is wanted, or no longer is; empty where nothing was decided
/// @param problem why the node could not load it; empty where it could
public record CachedModel(
        NodeId node,
        String model,
        CacheState state,
        boolean wanted,
        boolean reported,
        long bytes,
        @Nullable Instant lastUsed,
        String why,
        String problem) {
    static CachedModel none(NodeId node, String model) {
        return new CachedModel(node, model, CacheState.EVICTED, false, false, 0, null, "", "");
    }

    CachedModel wanted(String because) {
        CacheState next = state == CacheState.EVICTING ? CacheState.CACHED : state;
        return new CachedModel(
                node, model, next, true, reported, bytes, lastUsed, because, problem);
    }

    CachedModel unwanted(boolean evict, String because) {
        CacheState next = evict && isThere() ? CacheState.EVICTING : state;
        return new CachedModel(
                node, model, next, false, reported, bytes, lastUsed, because, problem);
    }

    /// What the node reported. What it will remove stays so until it is gone, unless it is wanted
    /// again.
    CachedModel reported(CacheState found, long size, String trouble, Instant at) {
        boolean leaves = state == CacheState.EVICTING && found != CacheState.EVICTED;
        boolean arrived = found == CacheState.CACHED && state != CacheState.CACHED && !leaves;
        return new CachedModel(
                node,
                model,
                leaves ? state : found,
                wanted,
                true,
                size,
                found == CacheState.EVICTED ? null : arrived ? at : lastUsed,
                why,
                trouble);
    }

    /// A replica on the node has loaded it.
    CachedModel loaded(Instant at) {
        return new CachedModel(
                node, model, CacheState.CACHED, wanted, reported, bytes, at, why, problem);
    }

    CachedModel used(Instant at) {
        return new CachedModel(node, model, state, wanted, reported, bytes, at, why, problem);
    }

    /// Whether the node has any of it.
    public boolean isThere() {
        return state != CacheState.EVICTED;
    }

    /// Whether nothing is left to remember.
    boolean isOver() {
        return state == CacheState.EVICTED && !wanted;
    }

    /// Without sizes and decisions it is what earlier versions computed for the same journal.
    long digest() {
        long hash = Digest.mix(Digest.of(node.name()), Digest.of(model));
        hash = Digest.mix(hash, state.ordinal());
        if (!wanted && bytes == 0) {
            return hash;
        }
        hash = Digest.mix(hash, (wanted ? 2 : 0) + (reported ? 1 : 0));
        return Digest.mix(
                Digest.mix(hash, bytes), lastUsed == null ? -1 : Instants.micros(lastUsed));
    }
}
