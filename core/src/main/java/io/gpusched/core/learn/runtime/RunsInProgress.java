package io.gpusched.core.learn.runtime;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Runs that have started and not ended: they show that such work takes *at least* this long.
final class RunsInProgress {
    /// Beyond this many, the runs that started first are dropped.
    private static final int MOST = 1 << 16;

    record Going(
            long job,
            Profile profile,
            List<String> neighbours,
            long start,
            @Nullable RuntimeForecast runtimeForecast) {
        ModelImage.Going image() {
            return new ModelImage.Going(
                    job,
                    profile.kind(),
                    profile.gpu(),
                    profile.features(),
                    neighbours,
                    start,
                    runtimeForecast == null ? 0 : runtimeForecast.level,
                    runtimeForecast == null ? List.of() : runtimeForecast.image());
        }

        static Going restored(ModelImage.Going image) {
            return new Going(
                    image.job(),
                    new Profile(image.kind(), image.gpu(), image.features()),
                    image.neighbours(),
                    image.start(),
                    image.forecast().size() == RuntimeForecast.LENGTH
                            ? RuntimeForecast.restored(image.level(), image.forecast())
                            : null);
        }
    }

    private final SequencedMap<Long, Going> all = new LinkedHashMap<>();
    private final SequencedMap<Profile.Key, SequencedMap<Long, Going>> alone =
            new LinkedHashMap<>();

    void began(Going run) {
        ended(run.job());
        all.put(run.job(), run);
        if (run.neighbours().isEmpty()) {
            alone.computeIfAbsent(run.profile().key(), key -> new LinkedHashMap<>())
                    .put(run.job(), run);
        }
        if (all.size() > MOST) {
            ended(all.firstEntry().getKey());
        }
    }

    @Nullable Going ended(long job) {
        Going run = all.remove(job);
        if (run != null) {
            SequencedMap<Long, Going> same = alone.get(run.profile().key());
            if (same != null) {
                same.remove(job);
                if (same.isEmpty()) {
                    alone.remove(run.profile().key());
                }
            }
        }
        return run;
    }

    /// The runs of the kind on the GPU model that share their GPUs with no other, the newest first.
    Collection<Going> newestFirst(Profile.Key key) {
        SequencedMap<Long, Going> same = alone.get(key);
        return same == null ? List.of() : same.reversed().values();
    }

    int size() {
        return all.size();
    }

    List<ModelImage.Going> image() {
        return all.values().stream().map(Going::image).toList();
    }

    void restore(List<ModelImage.Going> image) {
        image.forEach(each -> began(Going.restored(each)));
    }
}
