package io.gpusched.agent.task;

import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import java.util.List;

/// What has changed at a host since it was last asked. A host with a few tasks answers [#ANYTHING]
/// every time; a host that speaks for thousands of nodes names what changed, so that the work of an
/// agent follows the changes and not the size of the cluster.
///
/// @param anything whether anything may have changed; then the rest says nothing
/// @param reports the present reports of tasks that are new or changed
/// @param gone tasks that are no more
/// @param nodes nodes whose assignment must be carried out again although it is the same
public record HostChanges(
        boolean anything, List<TaskReport> reports, List<TaskRef> gone, List<String> nodes) {
    /// Every task must be looked at, and every assignment carried out.
    public static final HostChanges ANYTHING =
            new HostChanges(true, List.of(), List.of(), List.of());

    public HostChanges {
        reports = List.copyOf(reports);
        gone = List.copyOf(gone);
        nodes = List.copyOf(nodes);
    }
}
