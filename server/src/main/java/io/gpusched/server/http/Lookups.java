package io.gpusched.server.http;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.Past;
import io.gpusched.server.view.TenantRow;
import io.gpusched.server.view.View;

import java.util.function.Supplier;

/// Finds what a path names, or says that there is no such thing. What belongs to somebody else does
/// not exist for the caller: to say "forbidden" would be to say that it is there.
final class Lookups {
    private final Supplier<View> views;
    private final Past past;

    Lookups(Supplier<View> views, Past past) {
        this.views = views;
        this.past = past;
    }

    /// A job that the ledger knows.
    Job present(Asked asked) {
        JobId id = id(asked);
        Job job = views.get().job(id);
        if (job == null || !asked.caller().mayTouch(job.tenant())) {
            throw Fault.unknownJob(id.toString());
        }
        return job;
    }

    /// A job of any age.
    Job job(Asked asked) {
        JobId id = id(asked);
        View view = views.get();
        Job job = view.job(id);
        if (job == null && id.number() <= view.everSubmitted()) {
            job = past.find(id);
        }
        if (job == null || !asked.caller().mayTouch(job.tenant())) {
            throw Fault.unknownJob(id.toString());
        }
        return job;
    }

    /// A job of any age with what it runs or ran.
    Job whole(Asked asked) {
        Job job = job(asked);
        return job.ended() ? job.withPayload(past.payload(job.id())) : job;
    }

    private static JobId id(Asked asked) {
        JobId id = JobId.parse(asked.path("id"));
        if (id == null) {
            throw Fault.unknownJob(asked.path("id"));
        }
        return id;
    }

    TenantRow tenant(Asked asked) {
        String name = asked.path("id");
        TenantRow row = name.isEmpty() ? null : views.get().tenants().row(new TenantId(name));
        if (row == null || !asked.caller().mayTouch(row.tenant().id())) {
            throw Fault.unknown("tenant", name, "/api/v1/tenants");
        }
        return row;
    }

    NodeRow node(Asked asked) {
        String name = asked.path("id");
        NodeRow row = name.isEmpty() ? null : views.get().nodes().row(new NodeId(name));
        if (row == null) {
            throw Fault.unknown("node", name, "/api/v1/nodes");
        }
        return row;
    }
}
