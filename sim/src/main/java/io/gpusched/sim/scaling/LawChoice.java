package io.gpusched.sim.scaling;

import io.gpusched.core.model.SpellingSuggestion;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.scale.Scaler;
import io.gpusched.core.scale.Scalers;
import io.gpusched.sim.pools.ComparedLaw;
import io.gpusched.sim.replica.IterationCost;
import io.gpusched.sim.replica.ServingRequest;
import io.gpusched.sim.whatif.InvalidWhatIf;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A law to try on a pool: one of the core, of a plug-in, or of another system. It serves one run,
/// because laws of other systems remember.
final class LawChoice {
    private static final String REPLAYED = ", replayed";
    private static final String TRIED = ", tried";

    /// Those of other systems, as the comparison of laws names them.
    private static final String OTHERS =
            "hpa-[1-9][0-9]{0,3}|static-[1-9][0-9]{0,2}|keda|wva|dynamo|dynamo-floor|oracle-[0-9]{1,2}([.][0-9]{1,2})?";

    /// Makes the rules of a pool under this law from its own.
    private interface Rules {
        ScalingRules of(Pool pool);
    }

    private final String name;
    private final List<Scaler> scalers;
    private final Rules rules;
    private final int fixed;

    private LawChoice(String name, List<Scaler> scalers, Rules rules, int fixed) {
        this.name = name;
        this.scalers = scalers;
        this.rules = rules;
        this.fixed = fixed;
    }

    /// What is known when a law is chosen.
    ///
    /// @param laws those of plug-ins
    record Known(
            List<Scaler> laws, List<ServingRequest> requests, Instant start, IterationCost cost) {}

    /// The names that can be tried, for messages.
    static String names() {
        return String.join(", ", Scalers.names())
                + ", hpa-N, static-N, keda, wva, dynamo, dynamo-floor, oracle-C";
    }

    /// What the pool itself says, whatever that was at each time.
    static LawChoice recorded(PoolRecord record) {
        return new LawChoice(
                record.pool().scaling().law() + REPLAYED,
                List.of(),
                pool -> {
                    String law = pool.scaling().law();
                    if (Scalers.named(law) == null && find(law, record.laws()) == null) {
                        throw new InvalidWhatIf(
                                "pool %s has the law %s of a plug-in that is not here; ask a server that has it, with gpu-cli pool shadow"
                                        .formatted(pool.id(), law));
                    }
                    return pool.scaling();
                },
                0);
    }

    /// The law that a document to try names itself.
    static LawChoice ofDocument(Pool tried, PoolRecord record) {
        String law = tried.scaling().law();
        if (Scalers.named(law) == null && find(law, record.laws()) == null) {
            throw unknown(law, record.laws());
        }
        return new LawChoice(law + TRIED, List.of(), Pool::scaling, 0);
    }

    /// Throws an [InvalidWhatIf] if there is no such law.
    static void check(String name, List<Scaler> plugged) {
        boolean own = Scalers.named(name) != null || find(name, plugged) != null;
        if (!own && !name.matches(OTHERS)) {
            throw unknown(name, plugged);
        }
    }

    /// Throws an [InvalidWhatIf] if there is no such law.
    static LawChoice named(String name, Known known) {
        if (Scalers.named(name) != null || find(name, known.laws()) != null) {
            return new LawChoice(name, List.of(), pool -> ownRules(name, pool), 0);
        }
        ComparedLaw law =
                name.matches(OTHERS)
                        ? ComparedLaw.named(name, known.requests(), known.start(), known.cost())
                        : null;
        if (law == null) {
            throw unknown(name, known.laws());
        }
        return new LawChoice(
                name,
                Scalers.named(law.scaler().name()) == null ? List.of(law.scaler()) : List.of(),
                pool -> othersRules(name, law.rules(), pool),
                law.fixed());
    }

    private static @Nullable Scaler find(String name, List<Scaler> laws) {
        return laws.stream().filter(law -> law.name().equals(name)).findFirst().orElse(null);
    }

    private static InvalidWhatIf unknown(String name, List<Scaler> plugged) {
        var all = new ArrayList<>(Scalers.names());
        plugged.forEach(law -> all.add(law.name()));
        all.addAll(List.of("hpa-20", "keda", "wva", "dynamo", "dynamo-floor"));
        String nearest = SpellingSuggestion.to(name, all);
        return new InvalidWhatIf(
                "there is no law %s; %schoose one of %s"
                        .formatted(
                                name,
                                nearest == null ? "" : "the nearest is " + nearest + "; ",
                                names()));
    }

    private static void check(String name, Pool pool) {
        if (name.equals("targets") && pool.scaling().targets().isEmpty()) {
            throw new InvalidWhatIf(
                    "the law targets needs a target, and pool %s names none; try hpa-N, or a pool"
                                    .formatted(pool.id())
                            + " document with scaling.targets");
        }
        if (name.equals("queue") && pool.scaling().queue() == null) {
            throw new InvalidWhatIf(
                    "the law queue needs prefetch, throughput and max_lag, and pool %s names none"
                            .formatted(pool.id()));
        }
        if (name.equals("slo") && pool.slo().isNone()) {
            throw new InvalidWhatIf(
                    "the law slo needs an objective, and pool %s has none; try a pool document with"
                                    .formatted(pool.id())
                            + " slo.ttft_ms");
        }
    }

    /// The rules of the pool with another law. Windows and steps that are usual for the pool's law
    /// become those that are usual for the other one.
    private static ScalingRules ownRules(String name, Pool pool) {
        check(name, pool);
        ScalingRules before = pool.scaling();
        ScalingRules was = usual(before.law());
        ScalingRules next = usual(name);
        return new ScalingRules(
                name,
                before.targets(),
                before.replicaTokensPerSecond(),
                before.queue(),
                before.schedules(),
                before.up().equals(was.up()) ? next.up() : before.up(),
                before.down().equals(was.down()) ? next.down() : before.down(),
                before.cooldown(),
                before.every(),
                before.staleAfter());
    }

    private static ScalingRules usual(String law) {
        return law.equals("slo") ? ScalingRules.slo() : ScalingRules.of(law);
    }

    String name() {
        return name;
    }

    /// The rules of a law of another system. Schedules, cool-down and the age of reports stay.
    private static ScalingRules othersRules(String name, ScalingRules rules, Pool pool) {
        if (name.startsWith("dynamo") && pool.slo().interTokenMillis() == 0) {
            throw new InvalidWhatIf(
                    "the law %s needs an objective between tokens, and pool %s has none; try a pool"
                                    .formatted(name, pool.id())
                            + " document with slo.itl_ms");
        }
        ScalingRules before = pool.scaling();
        return new ScalingRules(
                rules.law(),
                rules.targets(),
                rules.replicaTokensPerSecond(),
                rules.queue(),
                before.schedules(),
                rules.up(),
                rules.down(),
                before.cooldown(),
                rules.every(),
                before.staleAfter());
    }

    /// Laws that neither the core nor a plug-in has.
    List<Scaler> scalers() {
        return scalers;
    }

    /// The pool under this law. Throws an [InvalidWhatIf] if the pool has not what the law needs.
    Pool on(Pool pool) {
        return new Pool(
                pool.id(),
                pool.model(),
                pool.replica(),
                fixed == 0 ? pool.min() : fixed,
                fixed == 0 ? pool.max() : fixed,
                pool.warmPercent(),
                pool.slo(),
                rules.of(pool),
                pool.cost(),
                pool.carbon(),
                pool.locality(),
                pool.serving());
    }
}
