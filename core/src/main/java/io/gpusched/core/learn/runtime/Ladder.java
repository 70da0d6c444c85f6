package io.gpusched.core.learn.runtime;

import io.gpusched.core.learn.runtime.Past.Summary;
import io.gpusched.core.learn.runtime.Past.Weights;
import io.gpusched.core.learn.runtime.Underway.Going;
import io.gpusched.core.model.LearnedRuns;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Where knowledge is kept, from the particular to the general, and how the general helps out where
/// the particular is thin:
///
///     the kind on this GPU model ◄ the kind on others ◄ its family ◄ everything
///
/// Each step up counts as a run or two, so it decides when nothing else is known and fades as runs
/// come in. On the way down, run times are moved by what is known of GPU models ([Speeds]) and of
/// traits ([Slope]).
final class Ladder {
    /// As how many runs the steps count.
    private static final double FROM_KIND = 2;

    private static final double FROM_FAMILY = 0.3;
    private static final double FROM_ALL = 0.3;

    /// Runs that go on beyond so many, the newest counted first, are not looked at.
    private static final int MOST_GOING = Past.MOST;

    private static final int MOST_SIBLINGS = 8;
    private static final int MOST_PASTS = 4096;
    private static final int MOST_RUNS = 1 << 18;
    private static final int MOST_FAMILIES = 1024;

    private static final double[] FLAT = new double[Traits.COUNT];

    /// How much kinds differ in what a GPU model does for them.
    private static final double PARTICULAR = 0.05;

    /// One kind of work, wherever it runs.
    private static final class Kind {
        final TreeMap<String, Past> pasts = new TreeMap<>();
        Slope slope = new Slope();
    }

    private final SequencedMap<Profile.Key, Past> pasts = new LinkedHashMap<>();
    private final TreeMap<String, Kind> kinds = new TreeMap<>();
    private final SequencedMap<String, Spread> families = new LinkedHashMap<>();
    private final Speeds speeds = new Speeds();
    private final Atoms atoms = new Atoms();
    private Spread all = Spread.vague(20_000);
    private Slope within = new Slope();
    private Slope between = new Slope();
    private Memory memory = new Memory(0.9995);
    private int runs;

    /// The past of the kind on the GPU model, at least an empty one.
    Past past(Profile.Key key) {
        Past past = pasts.get(key);
        if (past == null) {
            past = new Past(key);
            put(past);
            forget();
        }
        return past;
    }

    private void put(Past past) {
        pasts.put(past.key, past);
        kinds.computeIfAbsent(past.key.kind(), kind -> new Kind()).pasts.put(past.key.gpu(), past);
        runs += past.size();
    }

    private void forget() {
        while (pasts.size() > MOST_PASTS || runs > MOST_RUNS) {
            Past oldest = pasts.pollFirstEntry().getValue();
            runs -= oldest.size();
            Kind kind = kinds.get(oldest.key.kind());
            if (kind != null) {
                kind.pasts.remove(oldest.key.gpu());
                if (kind.pasts.isEmpty()) {
                    kinds.remove(oldest.key.kind());
                }
            }
        }
    }

    @Nullable Past known(Profile.Key key) {
        return pasts.get(key);
    }

    Collection<Past> pasts() {
        return pasts.values();
    }

    Memory memory() {
        return memory;
    }

    /// How fast the past of the kind is best forgotten.
    int way(@Nullable Past past) {
        return past == null ? Memory.EVERYTHING : past.memory.best(memory);
    }

    /// Forgets its runs, and nothing else.
    void clear(Past past) {
        runs -= past.size();
        past.clear();
    }

    /// An empty past in place of the one there is, with what is known of its changes.
    Past renewed(LearnedRuns from) {
        var key = new Profile.Key(from.kind(), from.gpuModel());
        clear(past(key));
        Past next = Past.after(key, from.drift());
        put(next);
        return next;
    }

    /// Takes in a run that had the GPUs for itself.
    void learn(Past past, double log, long start, float[] traits, long now) {
        Kind kind = kinds.computeIfAbsent(past.key.kind(), name -> new Kind());
        String gpu = past.key.gpu();
        int siblings = 0;
        for (Past other : kind.pasts.values()) {
            if (!other.key.equals(past.key) && other.size() >= 3 && siblings++ < MOST_SIBLINGS) {
                Summary there = other.summary(way(other), kind.slope.slopes(), traits);
                double noise = there.variance() * (1 + 1 / there.runs());
                speeds.compared(gpu, other.key.gpu(), log - there.mean(), noise);
            }
        }
        double typical = log - speeds.of(gpu).later();
        kind.slope.add(traits, typical, within);
        within.refresh(FLAT);
        kind.slope.refresh(within.slopes());
        between.add(traits, typical, between);
        between.refresh(FLAT);
        double plain = typical - between.shift(traits);
        all.add(plain);
        family(Profile.family(past.key.kind())).add(plain);

        int before = past.size();
        past.add(log, start, traits);
        past.changed = now;
        runs += past.size() - before;
        pasts.putLast(past.key, past);
        forget();
    }

    private Spread family(String name) {
        Spread family = families.get(name);
        if (family == null) {
            family = new Spread(2_000);
        }
        families.putLast(name, family);
        if (families.size() > MOST_FAMILIES) {
            families.pollFirstEntry();
        }
        return family;
    }

    /// The distribution as it is seen now, remembering in this way.
    Curve curve(Profile profile, int way, Underway underway, long now) {
        atoms.clear();
        float[] traits = Traits.of(profile.features());
        Kind kind = kinds.get(profile.kind());
        Past past = pasts.get(profile.key());
        if (past != null && kind != null) {
            own(past, kind, traits, way, underway.newestFirst(profile.key()), now);
        }
        if (kind != null) {
            siblings(kind, profile, traits, now);
        }
        double shift = speeds.of(profile.gpu()).later() + between.shift(traits);
        Spread family = families.get(Profile.family(profile.kind()));
        if (family != null) {
            family.into(atoms, FROM_FAMILY, shift);
        }
        all.into(atoms, FROM_ALL, shift);
        return atoms.curve();
    }

    private void own(
            Past past, Kind kind, float[] traits, int way, Collection<Going> going, long now) {
        Weights weights = past.weights(way, now);
        past.into(atoms, weights, 1, 0, kind.slope.slopes(), traits);
        int looked = 0;
        for (Going run : going) {
            if (looked++ == MOST_GOING) {
                break;
            }
            if (run.start() > now) {
                continue;
            }
            double age = Math.max(1, (now - run.start()) / 1e6);
            double moved =
                    Traits.shift(
                            kind.slope.slopes(), traits, Traits.of(run.profile().features()), 0);
            atoms.add(StrictMath.log(age) + moved, weights.of(age), true);
        }
    }

    private void siblings(Kind kind, Profile profile, float[] traits, long now) {
        int count = Math.min(MOST_SIBLINGS, others(kind, profile));
        int taken = 0;
        for (Past other : kind.pasts.values()) {
            if (isOther(other, profile) && taken < count) {
                taken++;
                Weights weights = other.weights(way(other), now);
                double factor = FROM_KIND / Math.max(FROM_KIND, weights.runs) / count;
                double shift = speeds.shift(other.key.gpu(), profile.gpu());
                other.into(atoms, weights, factor, shift, kind.slope.slopes(), traits);
            }
        }
    }

    private static int others(Kind kind, Profile profile) {
        int count = 0;
        for (Past other : kind.pasts.values()) {
            count += isOther(other, profile) ? 1 : 0;
        }
        return count;
    }

    private static boolean isOther(Past past, Profile profile) {
        return past.size() > 0 && !past.key.gpu().equals(profile.gpu());
    }

    /// The GPU model on which most runs of the kind were seen; null when it never ran.
    @Nullable String usualGpu(String name) {
        Kind kind = kinds.get(name);
        Past most = null;
        if (kind != null) {
            for (Past past : kind.pasts.values()) {
                boolean more = most == null || past.count > most.count;
                most = past.size() > 0 && more ? past : most;
            }
        }
        return most == null ? null : most.key.gpu();
    }

    /// @param noise how single runs usually vary, for kinds of which too little is known
    Belief belief(Profile profile, double noise) {
        float[] traits = Traits.of(profile.features());
        Kind kind = kinds.get(profile.kind());
        Past past = pasts.get(profile.key());
        Prior prior = prior(kind, profile, traits, noise);
        if (kind == null || past == null || past.size() == 0) {
            return new Belief(prior.mean, prior.noise, Math.sqrt(prior.variance), 0, 0);
        }
        Summary own = past.summary(way(past), kind.slope.slopes(), traits);
        double variance =
                (FROM_KIND * prior.noise + own.runs() * own.variance()) / (FROM_KIND + own.runs());
        double precision = 1 / prior.variance + own.runs() / variance;
        double mean =
                (prior.mean / prior.variance + own.mean() * own.runs() / variance) / precision;
        return new Belief(mean, variance, Math.sqrt(1 / precision), own.runs(), past.count);
    }

    /// What is believed of a kind on a GPU model before it ran there.
    private record Prior(double mean, double variance, double noise) {}

    private Prior prior(@Nullable Kind kind, Profile profile, float[] traits, double noise) {
        double precision = 0;
        double sum = 0;
        double spread = noise * FROM_KIND;
        double weight = FROM_KIND;
        int taken = 0;
        Kind like = kind == null ? new Kind() : kind;
        for (Past other : like.pasts.values()) {
            if (isOther(other, profile) && taken++ < MOST_SIBLINGS) {
                Summary there = other.summary(way(other), like.slope.slopes(), traits);
                spread += there.variance() * there.runs();
                weight += there.runs();
                double doubt =
                        (there.variance() * there.runs() + noise * FROM_KIND)
                                        / (there.runs() + FROM_KIND)
                                        / there.runs()
                                + speeds.variance(other.key.gpu(), profile.gpu())
                                + PARTICULAR;
                precision += 1 / doubt;
                sum += (there.mean() + speeds.shift(other.key.gpu(), profile.gpu())) / doubt;
            }
        }
        Spread family = families.get(Profile.family(profile.kind()));
        Spread above = family != null && family.total() >= 3 ? family : all;
        double doubt = Math.max(0.25, above.variance()) + speeds.of(profile.gpu()).variance();
        double shift = speeds.of(profile.gpu()).later() + between.shift(traits);
        precision += 1 / doubt;
        sum += (above.mean() + shift) / doubt;
        return new Prior(sum / precision, 1 / precision, spread / weight);
    }

    List<ModelImage.Past> pastsImage() {
        return pasts.values().stream().map(Past::image).toList();
    }

    List<ModelImage.Named> slopesImage() {
        return kinds.entrySet().stream()
                .map(each -> new ModelImage.Named(each.getKey(), each.getValue().slope.image()))
                .toList();
    }

    List<ModelImage.Named> familiesImage() {
        return families.entrySet().stream()
                .map(each -> new ModelImage.Named(each.getKey(), each.getValue().image()))
                .toList();
    }

    List<Double> allImage() {
        return all.image();
    }

    List<Double> withinImage() {
        return within.image();
    }

    List<Double> betweenImage() {
        return between.image();
    }

    List<ModelImage.Speed> speedsImage() {
        return speeds.image();
    }

    void restore(ModelImage image) {
        image.pasts().forEach(each -> put(Past.restored(each)));
        within = Slope.restored(image.within());
        between = Slope.restored(image.between());
        for (ModelImage.Named each : image.slopes()) {
            Kind kind = kinds.get(each.name());
            if (kind != null) {
                kind.slope = Slope.restored(each.row());
            }
        }
        image.families()
                .forEach(each -> families.put(each.name(), Spread.restored(each.row(), 2_000)));
        all = Spread.restored(image.all(), 20_000);
        speeds.restore(image.speeds());
        memory = Memory.restored(image.lost(), 0.9995);
    }
}
