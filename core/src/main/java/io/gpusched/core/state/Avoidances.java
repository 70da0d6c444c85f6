package io.gpusched.core.state;

import io.gpusched.core.model.Avoidance;
import io.gpusched.core.model.Digest;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/// Which jobs avoid which nodes, by the time at which this ends. Usually only a few.
public final class Avoidances {
    /// The job avoids the node until then.
    public record Due(Instant until, JobId job, NodeId node) {}

    private final NavigableSet<Due> all =
            new TreeSet<>(
                    Comparator.comparing(Due::until)
                            .thenComparing(Due::job)
                            .thenComparing(Due::node));
    private long digest;

    void add(JobId job, Avoidance one) {
        var due = new Due(one.until(), job, one.node());
        digest ^= all.add(due) ? fingerprint(due) : 0;
    }

    void remove(JobId job, Avoidance one) {
        var due = new Due(one.until(), job, one.node());
        digest ^= all.remove(due) ? fingerprint(due) : 0;
    }

    /// Removes an ended job, which is not placed any more.
    void forget(Job job) {
        job.avoids().forEach(one -> remove(job.id(), one));
    }

    /// The avoidances that have ended by now, the first first.
    public List<Due> endedBy(Instant now) {
        var ended = new ArrayList<Due>();
        for (Due due : all) {
            if (due.until.isAfter(now)) {
                break;
            }
            ended.add(due);
        }
        return ended;
    }

    /// All avoidances of the node.
    public List<Due> of(NodeId node) {
        return all.stream().filter(due -> due.node.equals(node)).toList();
    }

    /// When the first one ends; null when there is none.
    @Nullable Instant next() {
        return all.isEmpty() ? null : all.first().until;
    }

    long digest() {
        return digest;
    }

    private static long fingerprint(Due due) {
        long hash = Digest.mix(0xA01D, due.job.number());
        return Digest.mix(Digest.mix(hash, Digest.of(due.node.name())), Instants.micros(due.until));
    }
}
