package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.scheduler.SchedulerUnavailable;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Puts objects to the scheduler, and remembers what became of them. An object is put again when it
/// changed, when the scheduler has lost it, and now and then. One thread owns it.
final class Putting {
    private static final Duration AGAIN = Duration.ofMinutes(10);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(30);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(10);

    /// What is known about one object.
    ///
    /// @param manifest its manifest and what else was put
    /// @param observed the generation that the outcome is about
    /// @param due when it is put again although it did not change
    /// @param pause how long a refused object waits for its next try
    private record Entry(
            String manifest, PutResult outcome, long observed, Instant due, Duration pause) {}

    private static final Entry NONE =
            new Entry("", new PutResult.Untried(), 0, Instant.MIN, FIRST_RETRY);

    private final PoolServer server;
    private final Manifests manifests;
    private final ReplicaPods replicas;
    private final ServerNames names;
    private final PoolSettings settings;
    private final NamespaceTenants tenants;
    private final Map<ObjectKey, Entry> entries = new HashMap<>();

    Putting(
            PoolServer server,
            Manifests manifests,
            ReplicaPods replicas,
            PoolSettings settings,
            NamespaceTenants tenants) {
        this.server = server;
        this.manifests = manifests;
        this.replicas = replicas;
        this.names = new ServerNames(settings.names());
        this.settings = settings;
        this.tenants = tenants;
    }

    PutResult outcome(ObjectKey key) {
        return entries.getOrDefault(key, NONE).outcome();
    }

    /// The generation that the outcome is about; 0 before the first one.
    long observed(ObjectKey key) {
        return entries.getOrDefault(key, NONE).observed();
    }

    void forget(ObjectKey key) {
        entries.remove(key);
    }

    /// The scheduler has lost the object: it is put again.
    void again(ObjectKey key) {
        entries.computeIfPresent(
                key,
                (_, entry) ->
                        new Entry(
                                "", entry.outcome(), entry.observed(), Instant.MIN, entry.pause()));
    }

    /// Puts the object unless it was put and nothing has changed. A [ServerFault] that is no
    /// refusal is passed on.
    ///
    /// @param row the pool at the scheduler; missing where there is none, or for another kind
    /// @return whether it was put
    boolean put(ObjectKey key, ObjectNode object, JsonNode row, Instant now) {
        long generation = object.at("/metadata/generation").asLong();
        Entry before = entries.getOrDefault(key, NONE);
        String text = "";
        PutResult outcome;
        try {
            switch (manifests.of(key, object, tenant(key))) {
                case Manifests.Prepared.Wrong(var complaint) ->
                        outcome = new PutResult.Refused(complaint);
                case Manifests.Prepared.Ready(var manifest) -> {
                    text = manifest.toString();
                    boolean settled = isSettled(before, text, generation, now);
                    outcome = settled ? before.outcome() : apply(key, object, manifest, row);
                    if (outcome instanceof PutResult.Accepted) {
                        keepHeld(key, object, row);
                    }
                    if (settled) {
                        return false;
                    }
                }
            }
        } catch (ServerFault e) {
            if (!e.isRefusal()) {
                postpone(key, object, String.valueOf(e.getMessage()));
                throw e;
            }
            outcome = new PutResult.Refused(Complaint.of(e));
        }
        note(key, new Entry(text, outcome, generation, now, FIRST_RETRY), before, now);
        return true;
    }

    private String tenant(ObjectKey key) {
        try {
            String tenant = tenants.of(key.namespace());
            manifests.know(key.namespace(), tenant);
            return tenant;
        } catch (SchedulerUnavailable e) {
            throw new ServerFault(0, "", String.valueOf(e.getMessage()), "");
        } catch (IllegalArgumentException e) {
            throw new ServerFault(409, "metadata.namespace", String.valueOf(e.getMessage()), "");
        }
    }

    private static boolean isSettled(Entry entry, String text, long generation, Instant now) {
        return entry.manifest().equals(text)
                && entry.observed() == generation
                && now.isBefore(entry.due())
                && !(entry.outcome() instanceof PutResult.Postponed);
    }

    /// A refusal that repeats itself is tried ever more seldom: limits of the scheduler may change.
    private void note(ObjectKey key, Entry now, Entry before, Instant at) {
        Duration wait = AGAIN;
        if (now.outcome() instanceof PutResult.Refused) {
            boolean again = before.outcome().equals(now.outcome());
            Duration twice = again ? before.pause().multipliedBy(2) : FIRST_RETRY;
            wait = twice.compareTo(LONGEST_RETRY) < 0 ? twice : LONGEST_RETRY;
        }
        entries.put(
                key, new Entry(now.manifest(), now.outcome(), now.observed(), at.plus(wait), wait));
    }

    /// The object cannot be put now. What was observed before stays observed, so that whoever waits
    /// for the object goes on waiting.
    void postpone(ObjectKey key, ObjectNode object, String why) {
        Entry before = entries.getOrDefault(key, NONE);
        boolean same = before.observed() == object.at("/metadata/generation").asLong();
        if (!same) {
            var outcome = new PutResult.Postponed(why);
            entries.put(key, new Entry("", outcome, before.observed(), Instant.MIN, FIRST_RETRY));
        }
    }

    private PutResult apply(ObjectKey key, ObjectNode object, ObjectNode manifest, JsonNode row) {
        String cluster = row.at("/replica/labels").path(ReplicaPods.CLUSTER_LABEL).asText("");
        if (!cluster.isEmpty() && !cluster.equals(settings.cluster())) {
            return new PutResult.Refused(
                    new Complaint(
                            "metadata.name",
                            "the scheduler has a pool %s of another cluster"
                                    .formatted(names.of(key)),
                            "give the clusters different names with the operator's option"
                                    + " --pool-prefix"));
        }
        if (key.kind() == PoolKind.AGENT_POOL && !replicas.isRunnable(object)) {
            List<String> warnings = server.apply(manifest, true);
            server.apply(parked(manifest), false);
            return new PutResult.Accepted(plain(warnings, key));
        }
        return new PutResult.Accepted(plain(server.apply(manifest, false), key));
    }

    /// The manifest of a pool that can run nothing, so that it starts no replica before it is held.
    private static ObjectNode parked(ObjectNode manifest) {
        ObjectNode parked = manifest.deepCopy();
        if (parked.path("spec") instanceof ObjectNode spec) {
            spec.put("minReplicas", 0).put("prewarmPercent", 0);
            if (spec.path("scheduling") instanceof ObjectNode scheduling) {
                scheduling.remove("gangScheduling");
            }
        }
        return parked;
    }

    /// Without the name of the object, which the reader of its status knows.
    private List<String> plain(List<String> warnings, ObjectKey key) {
        String path = key.kind().text() + "/" + names.of(key) + ": ";
        var all = new ArrayList<String>();
        warnings.forEach(
                each -> all.add(each.startsWith(path) ? each.substring(path.length()) : each));
        return all;
    }

    /// @param reason by which this operator knows its own hold again
    private record Hold(int size, String reason) {}

    private static String scaled(ObjectKey key) {
        return "spec.replicas of " + key;
    }

    private static String idle(ObjectKey key) {
        return key + " does not say what a replica runs";
    }

    /// How the object wants its pool held; null where the rules decide.
    private @Nullable Hold hold(ObjectKey key, ObjectNode object) {
        if (!replicas.isRunnable(object)) {
            return new Hold(0, idle(key));
        }
        JsonNode size = object.at("/spec/replicas");
        return size.isIntegralNumber() ? new Hold(size.asInt(), scaled(key)) : null;
    }

    /// Holds the pool, or lets it go if this operator held it. A hold of somebody else stays,
    /// unless the object wants another one.
    private void keepHeld(ObjectKey key, ObjectNode object, JsonNode row) {
        if (key.kind() != PoolKind.AGENT_POOL) {
            return;
        }
        Hold hold = hold(key, object);
        JsonNode state = row.path("status");
        String reason = state.path("hold_reason").asText("");
        JsonNode size = state.path("held_at");
        if (hold == null) {
            if (Set.of(scaled(key), idle(key)).contains(reason)) {
                server.hold(names.of(key), null, "");
            }
        } else if (size.asInt(-1) != hold.size() || !reason.equals(hold.reason())) {
            try {
                server.hold(names.of(key), hold.size(), hold.reason());
            } catch (ServerFault e) {
                throw e.isRefusal() ? e.at("spec.replicas") : e;
            }
        }
    }
}
