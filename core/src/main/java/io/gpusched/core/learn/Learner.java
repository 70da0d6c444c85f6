package io.gpusched.core.learn;

import io.gpusched.core.event.Event;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Digest;
import io.gpusched.core.state.ClusterView;

/// Everything that is learned from what happened. The engine owns it and applies events to it, as
/// it does to the ledger; nothing else changes it, and equal events lead to equal learners.
///
/// It learns from facts only, never from what a cycle decides: those events reach the ledger while
/// the cycle is still trying.
///
/// What is in [#digest] is checked against the journal batch by batch, so the way it is worked out
/// is fixed for good. A model whose inner working shall stay free to change belongs beside the
/// book, in the image with a version, and out of the digest.
public final class Learner {
    /// How many pairs are kept where nobody says otherwise.
    public static final long RETENTION = 1000;

    private final ObservationTable book;
    private final RuntimeModel model;
    private final boolean learns;
    private ExplorationCounts explorationCounts;

    public Learner() {
        this(LearnerImage.NOTHING);
    }

    private Learner(LearnerImage image) {
        this(
                image,
                image.model().version() == RuntimeModel.VERSION
                        ? RuntimeModel.restored(image.model())
                        : new RuntimeModel(),
                true);
    }

    private Learner(LearnerImage image, RuntimeModel model, boolean learns) {
        book = new ObservationTable(image.retention());
        book.imported(image.pairs(), image.slowdowns());
        explorationCounts = image.explorationCounts();
        this.model = model;
        this.learns = learns;
    }

    /// A learner that goes on where the image was taken.
    public static Learner restored(LearnerImage image) {
        return new Learner(image);
    }

    /// One that knows what the model does and learns nothing more, whatever happens: for looking
    /// ahead, where what happens is made up. Several may have the same model, on one thread.
    public static Learner knowing(RuntimeModel model) {
        return new Learner(LearnerImage.NOTHING, model, false);
    }

    public LearnerImage image() {
        return new LearnerImage(
                book.retention(), explorationCounts, book.pairs(), book.slowdowns(), model.image());
    }

    /// Learns what is in an event that the ledger has recorded, together with what the ledger
    /// knows of the job it is about.
    public void apply(Event event, ClusterView cluster) {
        apply(event);
        if (learns) {
            RuntimeObserver.hear(event, cluster, model);
        }
    }

    /// Learns what an event says by itself; most teach nothing.
    public void apply(Event event) {
        if (!learns) {
            return;
        }
        switch (event) {
            case Event.Observed e -> book.observed(e);
            case Event.Scored e ->
                    explorationCounts =
                            explorationCounts.and(e.total(), e.explored()).reserving(e.reserved());
            case Event.RetentionChanged e -> book.retain(e.pairs());
            case Event.Imported e -> book.imported(e.runtimes(), e.slowdowns());
            default -> {}
        }
    }

    /// How long runs take, as well as can be told.
    public RuntimeModel model() {
        return model;
    }

    /// Run times by kind of job and GPU, with the fixed assumptions that `/v1/score` documents.
    public ObservationTable book() {
        return book;
    }

    /// Choices that were made for people who asked.
    public ExplorationCounts explorationCounts() {
        return explorationCounts;
    }

    /// 0 as long as nothing was learned: journals from before learning lead where they led.
    public long digest() {
        long counted =
                explorationCounts.total() == 0
                        ? 0
                        : Digest.mix(
                                Digest.mix(1, explorationCounts.total()),
                                explorationCounts.explored());
        long kept = book.retention() == RETENTION ? 0 : Digest.mix(2, book.retention());
        long ahead =
                explorationCounts.reserved() == 0 ? 0 : Digest.mix(3, explorationCounts.reserved());
        return book.digest() ^ counted ^ kept ^ ahead;
    }
}
