package io.gpusched.server.http;

import io.gpusched.core.engine.DeadlineDecision;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.spot.CapacityChoice;
import io.gpusched.core.spot.SpotChoice;
import io.gpusched.core.state.DeadlineLedger;
import io.gpusched.server.view.View;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/// Writes the deadline of a job, and the plan to meet it. Unknown costs are null.
final class DeadlineJson {
    private DeadlineJson() {}

    /// The deadline that the job named, and where it was chosen to run; null for a job without one.
    static void write(Job job, View view, JsonOutput out) {
        JobDeadline deadline = job.spec().deadline();
        if (deadline == null) {
            out.empty("deadline").empty("deadline_plan");
            return;
        }
        out.field("deadline", deadline.of(job.submitted()));
        DeadlineLedger.Entry entry = view.deadlines().get(job.id());
        CapacityChoice choice = entry == null ? null : entry.choice();
        out.name("deadline_plan").object();
        out.field("work_seconds", job.spec().work().toSeconds());
        out.field("restart_seconds", deadline.restartOrUsual().toSeconds());
        out.field("capacity", choice == null ? null : word(choice.choice()));
        out.field("reason", choice == null ? "" : choice.reason());
        out.endObject();
    }

    /// What the rule says now.
    static void write(@Nullable DeadlineDecision plan, JsonOutput out) {
        if (plan == null) {
            out.empty("deadline").empty("deadline_plan");
            return;
        }
        CapacityChoice choice = plan.choice();
        out.field("deadline", plan.deadline()).name("deadline_plan").object();
        out.field("current", word(plan.current())).field("capacity", word(choice.choice()));
        out.field("reason", choice.reason());
        out.field("slack_seconds", choice.slackMillis() / 1_000);
        out.field("remaining_seconds", plan.remainingMillis() / 1_000);
        out.field(
                "latest_on_demand",
                plan.current() == SpotChoice.ON_DEMAND ? null : plan.latestOnDemand());
        out.field("at_risk", plan.atRisk());
        cost("spot_dollars", choice.spotMicroDollars(), out);
        cost("wait_dollars", choice.waitMicroDollars(), out);
        cost("on_demand_dollars", choice.onDemandMicroDollars(), out);
        out.endObject();
    }

    private static void cost(String field, long microDollars, JsonOutput out) {
        if (microDollars < 0) {
            out.empty(field);
        } else {
            out.field(field, microDollars / 1e6);
        }
    }

    /// `on_demand`
    private static String word(SpotChoice choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }
}
