package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// The phase of a job's life. Each phase carries exactly what is true in it.
///
///     Held ⇄ Waiting ──▶ Starting ──▶ Running ──▶ Ended
///               ▲            │            │
///               └────────────┴─ Stopping ◀┘      (preempted, lost, drained: back to Waiting)
public sealed interface Phase {
    record Held(Instant since, String why) implements Phase {
        /// The phase of a job that is submitted at this time and must be released first.
        static Held fromSubmission(Instant at) {
            return new Held(at, "held at submission");
        }
    }

    /// @param since when it entered the queue or its priority changed; ageing counts from
    ///        [Job#submitted]
    /// @param notBefore the scheduler does not try it earlier; null when it may be tried now
    /// @param ranBefore whether it was placed before and lost its placement: by preemption, with
    ///        its node, or because it did not start; [Job#evictions] and [Job#losses] tell which
    record Waiting(Instant since, @Nullable Instant notBefore, boolean ranBefore) implements Phase {
        /// The phase of a job that is submitted at this time and may be tried at once.
        public static Waiting fromSubmission(Instant at) {
            return new Waiting(at, null, false);
        }
    }

    /// @param since when the job was placed
    /// @param countedFrom when the start timeout of its tasks begins: later than `since` where
    ///        orders could not reach an agent, or its answer the scheduler
    record Starting(Run run, Instant since, Instant countedFrom) implements Phase {
        /// Just placed.
        public Starting(Run run, Instant since) {
            this(run, since, since);
        }

        public Starting with(Run next) {
            return new Starting(next, since, countedFrom);
        }

        public Starting countedFrom(Instant when) {
            return new Starting(run, since, when);
        }
    }

    record Running(Run run, Instant since) implements Phase {}

    /// @param since when the scheduler told the tasks to stop
    /// @param started when the run began to run; null if it had not
    record Stopping(Run run, Instant since, @Nullable Instant started, StopCause cause)
            implements Phase {}

    /// @param at when the scheduler learned that it had ended
    record Ended(Instant at, Outcome outcome, @Nullable Run last, @Nullable Instant started)
            implements Phase {
        /// A report within this time of the end counts as prompt.
        private static final Duration PROMPT = Duration.ofSeconds(2);

        /// When the last task ended. The scheduler may have learned of it only much later, if the
        /// agent or the scheduler was away.
        public Instant over() {
            if (last == null || started == null) {
                return at;
            }
            Duration longest = Duration.ZERO;
            for (TaskState task : last.tasks()) {
                Exit exit = task.exit();
                if (exit == null || exit.ran().isZero()) {
                    return at;
                }
                longest = exit.ran().compareTo(longest) > 0 ? exit.ran() : longest;
            }
            Instant measured = started.plus(longest);
            return measured.plus(PROMPT).isBefore(at) ? measured : at;
        }
    }

    /// The run that holds capacity now; null when none does.
    default @Nullable Run run() {
        return switch (this) {
            case Held held -> null;
            case Waiting waiting -> null;
            case Starting starting -> starting.run();
            case Running running -> running.run();
            case Stopping stopping -> stopping.run();
            case Ended ended -> null;
        };
    }

    /// When the tasks of the current or last run began to run; null when there is no such time.
    default @Nullable Instant startedAt() {
        return switch (this) {
            case Held held -> null;
            case Waiting waiting -> null;
            case Starting starting -> null;
            case Running running -> running.since();
            case Stopping stopping -> stopping.started();
            case Ended ended -> ended.started();
        };
    }
}
