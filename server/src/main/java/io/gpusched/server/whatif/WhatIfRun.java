package io.gpusched.server.whatif;

import io.gpusched.sim.whatif.WhatIfQuestion;
import io.gpusched.sim.whatif.WhatIfResult;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// One what-if: its question, progress and result. Any thread may read it.
public final class WhatIfRun {
    public enum State {
        RUNNING,
        DONE,
        FAILED,
        CANCELLED
    }

    private final String id;
    private final WhatIfQuestion whatIfQuestion;
    private final Instant asked;
    private volatile State state = State.RUNNING;
    private volatile double progress;
    private volatile boolean unwanted;
    private volatile @Nullable WhatIfResult whatIfResult;
    private volatile String failure = "";

    WhatIfRun(String id, WhatIfQuestion whatIfQuestion, Instant asked) {
        this.id = id;
        this.whatIfQuestion = whatIfQuestion;
        this.asked = asked;
    }

    public String id() {
        return id;
    }

    public WhatIfQuestion whatIfQuestion() {
        return whatIfQuestion;
    }

    public Instant asked() {
        return asked;
    }

    public State state() {
        return state;
    }

    /// The replayed share of the journal, from 0 to 1.
    public double progress() {
        return progress;
    }

    /// The result; null until it is done.
    public @Nullable WhatIfResult whatIfResult() {
        return whatIfResult;
    }

    /// Why it failed; empty if it did not.
    public String failure() {
        return failure;
    }

    void cancel() {
        unwanted = true;
    }

    /// Records the progress; false if the what-if was cancelled.
    boolean reached(double part) {
        progress = part;
        return !unwanted;
    }

    void answered(WhatIfResult answer) {
        whatIfResult = answer;
        progress = 1;
        state = State.DONE;
    }

    void cancelled() {
        state = State.CANCELLED;
    }

    void failed(String why) {
        failure = why;
        state = State.FAILED;
    }
}
