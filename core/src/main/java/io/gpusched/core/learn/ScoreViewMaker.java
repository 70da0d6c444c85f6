package io.gpusched.core.learn;

import java.util.LinkedHashMap;

/// Makes views of an observation table. It reuses the kinds of jobs that have not changed since the
/// last view.
public final class ScoreViewMaker {
    private record Made(long version, ScoreView.Kind kind) {}

    private final ScoreSettings settings;
    private LinkedHashMap<String, Made> made = new LinkedHashMap<>();

    public ScoreViewMaker(ScoreSettings settings) {
        this.settings = settings;
    }

    public ScoreView of(ObservationTable book) {
        var kinds = new LinkedHashMap<String, ScoreView.Kind>();
        var next = new LinkedHashMap<String, Made>();
        book.kinds()
                .forEach(
                        (name, kind) -> {
                            Made last = made.get(name);
                            Made now =
                                    last != null && last.version == kind.version
                                            ? last
                                            : new Made(
                                                    kind.version,
                                                    ScoreView.Kind.of(kind, settings));
                            next.put(name, now);
                            kinds.put(name, now.kind);
                        });
        made = next;
        return new ScoreView(settings, kinds);
    }
}
