package io.gpusched.server.http;

import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Problem;
import io.gpusched.core.model.PolicyCause;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.server.config.PolicyRules;
import io.gpusched.server.policy.PolicyControl;
import io.gpusched.server.policy.PolicyInForce;
import io.gpusched.server.whatif.ShadowPolicy;
import io.gpusched.sim.whatif.ShadowReplay;
import io.gpusched.sim.whatif.ShadowVerdict;
import io.gpusched.wire.request.Parsed;
import io.gpusched.wire.request.PolicyRequest;
import io.gpusched.wire.request.PromotionRequest;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/// `/api/v1/policy` and `/api/v1/shadow/promote`: the policy in force, and how to change it.
final class PolicyHandlers {
    private static final String DRY_RUN = "dry_run";

    private final PolicyControl policyControl;
    private final PolicySettings settings;
    private final RequestBodies requestBodies;
    private final CommandSender commandSender;

    PolicyHandlers(
            PolicyControl policyControl,
            PolicySettings settings,
            RequestBodies requestBodies,
            CommandSender commandSender) {
        this.policyControl = policyControl;
        this.settings = settings;
        this.requestBodies = requestBodies;
        this.commandSender = commandSender;
    }

    Response show(Request request) {
        var out = new JsonOutput(1 << 11).object();
        write(policyControl.status(), out);
        return Response.ok(out.field("policies", Policies.names(settings)).endObject());
    }

    Response put(Request request) {
        PolicyRequest wanted =
                switch (PolicyRequest.read(requestBodies.object(request))) {
                    case Parsed.Invalid(var problems) -> throw HttpError.of(problems);
                    case Parsed.Valid(var valid, _) -> valid;
                };
        return set(wanted.policy(), wanted.reason(), request);
    }

    /// Puts the shadow policy in force. Without `force` the answer is a refusal unless the policy
    /// is better in the objective that is tracked.
    Response promote(Request request) {
        PromotionRequest wanted =
                switch (PromotionRequest.read(requestBodies.object(request))) {
                    case Parsed.Invalid(var problems) -> throw HttpError.of(problems);
                    case Parsed.Valid(var valid, _) -> valid;
                };
        String shadow = policyControl.shadow().policy();
        if (shadow.isEmpty()) {
            throw wrongState(
                    "there is no shadow policy to promote",
                    "name one in scheduler.shadow_policy, or set a policy with PUT"
                            + " /api/v1/policy");
        }
        String comparison = policyControl.comparison();
        if (!wanted.force() && policyControl.verdict() != ShadowVerdict.BETTER) {
            throw wrongState(
                    "the shadow policy %s is not better: %s".formatted(shadow, comparison),
                    "wait until the comparison is decided, or repeat the request with \"force\":"
                            + " true");
        }
        String reason = wanted.reason().isEmpty() ? comparison : wanted.reason();
        return set(shadow, "promoted from the shadow: " + reason, request);
    }

    private static HttpError wrongState(String message, String hint) {
        return HttpError.of(
                List.of(new Problem(Problem.Code.WRONG_STATE, "policy", message, hint)));
    }

    private Response set(String policy, String reason, Request request) {
        boolean dryRun = request.flag(DRY_RUN);
        boolean changed;
        if (dryRun) {
            checkName(policy);
            changed = !policy.equals(policyControl.status().policy());
        } else {
            var command =
                    new Command.SetPolicy(
                            policy, request.caller().label(), reason, PolicyCause.COMMAND);
            Answer.Accepted accepted = commandSender.run(command);
            changed = !accepted.events().isEmpty();
        }
        var out = new JsonOutput(1 << 11).object().field("changed", changed);
        if (dryRun) {
            out.field(DRY_RUN, true).field("wanted", policy);
        }
        write(policyControl.status(), out);
        return Response.ok(out.endObject());
    }

    private void checkName(String policy) {
        if (Policies.named(policy, settings) == null) {
            throw WhatIfHandlers.unknown("policy", policy, Policies.names(settings));
        }
    }

    private void write(PolicyInForce.Status status, JsonOutput out) {
        out.field("policy", status.policy()).field("configured", status.configured());
        Event.PolicyChanged last = status.last();
        out.field("since", last == null ? null : last.at());
        out.field("by", last == null ? "configuration" : last.by());
        out.field("reason", last == null ? "" : last.reason());
        PolicyCause cause = last == null ? PolicyCause.CONFIGURATION : last.cause();
        out.field("cause", PolicyInForce.name(cause));
        out.field("previous", status.previous());
        writeFallback(out.name("fallback"));
        writePromotion(out.name("promotion"));
        writeShadow(out.name("shadow"));
    }

    private void writeFallback(JsonOutput out) {
        PolicyRules rules = policyControl.rules();
        PolicyRules.Fallback fallback = rules.fallback();
        out.object().field("policy", policyControl.fallbackPolicy());
        out.field("guarding", policyControl.isGuarding());
        out.field("compares", policyControl.isComparing());
        out.field("cycle_budget_ms", fallback.cycleBudget().toMillis());
        out.field("late_cycles", fallback.lateCycles());
        out.field("invalid_rankings", fallback.invalidRankings());
        out.field("watch_objective", fallback.watchesObjective());
        out.field("min_jobs", fallback.minJobs());
        out.field("min_minutes", fallback.minTime().toMinutes()).endObject();
    }

    private void writePromotion(JsonOutput out) {
        PolicyRules.Promotion promotion = policyControl.rules().promotion();
        out.object().field("enabled", promotion.enabled());
        out.field("objective", lower(policyControl.rules().objective()));
        out.field("min_jobs", promotion.minJobs());
        out.field("min_hours", promotion.minTime().toHours());
        out.field("paused_until", policyControl.promotionPausedUntil()).endObject();
    }

    private void writeShadow(JsonOutput out) {
        ShadowPolicy shadow = policyControl.shadow();
        ShadowReplay.@Nullable Picture seen = shadow.picture();
        out.object().field("policy", shadow.policy());
        if (!shadow.policy().isEmpty()) {
            out.field("running", shadow.stopped().isEmpty());
            out.field("verdict", lower(policyControl.verdict()));
            out.field("since", seen == null ? null : seen.since());
        }
        out.endObject();
    }

    static String lower(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT);
    }
}
