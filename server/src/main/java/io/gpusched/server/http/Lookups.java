package io.gpusched.server.http;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.PastJobs;
import io.gpusched.server.view.TenantRow;
import io.gpusched.server.view.View;

import java.util.function.Supplier;

/// Finds the job, tenant or node that a path names, or throws a 404. What belongs to another tenant
/// is a 404 too: a 403 would reveal that it exists.
final class Lookups {
    private final Supplier<View> views;
    private final PastJobs pastJobs;

    Lookups(Supplier<View> views, PastJobs pastJobs) {
        this.views = views;
        this.pastJobs = pastJobs;
    }

    /// A job that the present view contains.
    Job present(Request request) {
        JobId id = id(request);
        Job job = views.get().job(id);
        if (job == null || !request.caller().mayTouch(job.tenant())) {
            throw HttpError.unknownJob(id.toString());
        }
        return job;
    }

    /// A job of any age, also one that is only in the store.
    Job job(Request request) {
        JobId id = id(request);
        View view = views.get();
        Job job = view.job(id);
        if (job == null && id.number() <= view.everSubmitted()) {
            job = pastJobs.find(id);
        }
        if (job == null || !request.caller().mayTouch(job.tenant())) {
            throw HttpError.unknownJob(id.toString());
        }
        return job;
    }

    /// A job of any age with its payload.
    Job whole(Request request) {
        Job job = job(request);
        return job.ended() ? job.withPayload(pastJobs.payload(job.id())) : job;
    }

    private static JobId id(Request request) {
        JobId id = JobId.parse(request.path("id"));
        if (id == null) {
            throw HttpError.unknownJob(request.path("id"));
        }
        return id;
    }

    TenantRow tenant(Request request) {
        String name = request.path("id");
        TenantRow row = name.isEmpty() ? null : views.get().tenants().row(new TenantId(name));
        if (row == null || !request.caller().mayTouch(row.tenant().id())) {
            throw HttpError.unknown("tenant", name, "/api/v1/tenants");
        }
        return row;
    }

    NodeRow node(Request request) {
        String name = request.path("id");
        NodeRow row = name.isEmpty() ? null : views.get().nodes().row(new NodeId(name));
        if (row == null) {
            throw HttpError.unknown("node", name, "/api/v1/nodes");
        }
        return row;
    }
}
