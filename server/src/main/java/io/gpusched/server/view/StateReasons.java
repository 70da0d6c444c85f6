package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/// Why a job is in its state, in a phrase. Empty where the state says it all.
public final class StateReasons {
    private StateReasons() {}

    /// The same, and for a job that waits in line what came of trying it last.
    public static String of(Job job, View view, LatestTurns latestTurns) {
        String phrase = of(job, view);
        return phrase.isEmpty() && job.waiting() ? latestTurns.why(job) : phrase;
    }

    public static String of(Job job, View view) {
        return switch (job.phase()) {
            case Phase.Held held -> held.why().isEmpty() ? "held" : held.why();
            case Phase.Waiting waiting -> waiting(waiting.notBefore(), job, view.at());
            case Phase.Starting starting -> whereabouts(starting.run(), view);
            case Phase.Running running -> running(job, running.run(), view);
            case Phase.Stopping stopping -> stopping(stopping, view);
            case Phase.Ended ended -> ended.outcome().reason();
        };
    }

    private static String waiting(@Nullable Instant notBefore, Job job, Instant now) {
        if (notBefore != null && notBefore.isAfter(now)) {
            return "not tried again before " + notBefore;
        }
        return job.losses() > 0 && job.stops() == 0 ? "queued again after a lost run" : "";
    }

    private static String running(Job job, Run run, View view) {
        String where = whereabouts(run, view);
        Instant idle = view.idle().get(job.id());
        return !where.isEmpty() || idle == null
                ? where
                : "uses none of its GPUs since " + idle.truncatedTo(ChronoUnit.SECONDS);
    }

    /// A node that does not answer cannot be told to stop: then the grace says nothing about the
    /// end.
    private static String stopping(Phase.Stopping stopping, View view) {
        String cause = stopping.cause().detail();
        String where = whereabouts(stopping.run(), view);
        return "stopping: "
                + (cause.isEmpty() ? words(stopping.cause().kind().name()) : cause)
                + (where.isEmpty() ? "" : "; " + where);
    }

    /// A run whose node does not answer goes on as far as anybody knows; people should hear of it.
    private static String whereabouts(Run run, View view) {
        for (Slot slot : run.on().slots()) {
            NodeRow node = view.nodes().row(slot.node());
            if (node != null && node.status().reach() != NodeStatus.Reach.UP) {
                return "node unreachable: " + slot.node();
            }
        }
        return "";
    }

    private static String words(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
