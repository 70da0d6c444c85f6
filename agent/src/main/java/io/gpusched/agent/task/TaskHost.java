package io.gpusched.agent.task;

import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.NodesChanged;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import java.util.List;
import java.util.function.Consumer;

/// Runs tasks: on this machine, or simulated on many machines.
///
/// The agent repeats the assignment and asks for reports several times a second, so a host need not
/// remember a request, unless it names what has changed ([#changes]). All methods are called by one
/// thread and must return soon.
public interface TaskHost {
    /// Calls `changed`, from any thread, when [#tasks] may have a new answer. Optional: the agent
    /// also polls several times a second.
    void watch(Runnable changed);

    /// Starts and stops tasks so that the node comes nearer to exactly these tasks. A task that has
    /// ended stays ended; a task that is not in the list is stopped.
    void converge(String node, List<TaskOrder> wanted);

    /// Like [#converge], but starts nothing: the assignment is from before a break in the session,
    /// so the scheduler may have placed tasks that have not started here on another node. A host
    /// whose tasks need no fencing may do nothing.
    default void restrain(String node, List<TaskOrder> wanted) {}

    /// Reports of all tasks, including ended ones that are not [#acknowledged]. The reports have no
    /// sequence number yet.
    List<TaskReport> tasks();

    /// What has changed since the last call. A host that names changes gets each assignment once,
    /// and again in each new session or where it asks for it; it must then remember what it could
    /// not carry out. After an error, and when a session opens, the agent looks at everything.
    default HostChanges changes() {
        return HostChanges.ANYTHING;
    }

    /// A session has opened, and its Hello has been sent. A host that speaks for a cluster now
    /// tells its nodes and foreign use by `nodes`, and later every change of them, from any thread.
    /// What it tells after the end of the session is dropped.
    default void opened(Consumer<NodesChanged> nodes) {}

    /// Notes that the scheduler has durably recorded that this task ended or was refused.
    void acknowledged(TaskRef task);

    /// Output of a task from an offset, without waiting; empty if there is none yet.
    LogChunk log(LogRequest request);

    /// How far the output of a task has come. Cheaper than [#log]; two equal marks mean that [#log]
    /// has nothing new.
    LogMark logMark(TaskRef task);

    /// @param end bytes written so far; -1 if no output of the task is kept
    /// @param over whether the task has ended
    record LogMark(long end, boolean over) {}

    /// Deletes files beyond the limits. Called about once a minute.
    void tidy();
}
