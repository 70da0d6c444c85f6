package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.auth.Caller;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Texts that may name jobs, as a caller may read them. An administrator reads everything; a tenant
/// reads no job and no tenant beside its own.
///
/// The texts themselves name every job, since they are also recorded and shown to administrators.
/// So whatever answers a caller passes them through here.
public final class CallerTexts {
    private final Supplier<View> views;
    private final PastJobs pastJobs;

    public CallerTexts(Supplier<View> views, PastJobs pastJobs) {
        this.views = views;
        this.pastJobs = pastJobs;
    }

    /// Makes a text readable for the caller.
    public UnaryOperator<String> of(Caller caller) {
        return switch (caller) {
            case Caller.Admin admin -> UnaryOperator.identity();
            case Caller.Member member ->
                    text -> OtherJobs.hidden(text, member.tenant(), this::tenant);
            case Caller.Joiner _, Caller.Gateway _ ->
                    text -> OtherJobs.hidden(text, null, this::tenant);
        };
    }

    /// A job of any age: the text may be older than the ledger's memory.
    private @Nullable TenantId tenant(JobId id) {
        Job present = views.get().job(id);
        Job found = present == null ? pastJobs.find(id) : present;
        return found == null ? null : found.tenant();
    }
}
