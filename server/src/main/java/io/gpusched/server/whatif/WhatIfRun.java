package io.gpusched.server.whatif;

import io.gpusched.sim.whatif.WhatIfQuestion;
import io.gpusched.sim.whatif.WhatIfResult;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// One question about the past, and how far its answer is. Any thread may look.
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

    /// From 0 to 1.
    public double progress() {
        return progress;
    }

    /// Null until it is done.
    public @Nullable WhatIfResult whatIfResult() {
        return whatIfResult;
    }

    /// Why there is no answer; empty where there is no such reason.
    public String failure() {
        return failure;
    }

    void cancel() {
        unwanted = true;
    }

    /// Notes how far it is; false when nobody wants the answer any more.
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
