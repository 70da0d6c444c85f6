package io.gpusched.server.http;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.TenantRow;
import io.gpusched.server.view.View;

/// Finds what a path names, or says that there is no such thing. What belongs to somebody else does
/// not exist for the caller: to say "forbidden" would be to say that it is there.
final class Lookups {
    private Lookups() {}

    static Job job(View view, Asked asked) {
        return job(view, asked.caller(), asked.path("id"));
    }

    static Job job(View view, Caller caller, String text) {
        JobId id = JobId.parse(text);
        Job job = id == null ? null : view.job(id);
        if (job == null || !caller.mayTouch(job.tenant())) {
            throw Fault.unknownJob(text);
        }
        return job;
    }

    static TenantRow tenant(View view, Asked asked) {
        String name = asked.path("id");
        TenantRow row = name.isEmpty() ? null : view.tenants().row(new TenantId(name));
        if (row == null || !asked.caller().mayTouch(row.tenant().id())) {
            throw Fault.unknown("tenant", name, "/api/v1/tenants");
        }
        return row;
    }

    static NodeRow node(View view, Asked asked) {
        String name = asked.path("id");
        NodeRow row = name.isEmpty() ? null : view.nodes().row(new NodeId(name));
        if (row == null) {
            throw Fault.unknown("node", name, "/api/v1/nodes");
        }
        return row;
    }
}
