package io.gpusched.agent.task;

import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import java.util.List;

/// Something that can run tasks: this machine, or a pretence of many machines.
///
/// The agent repeats the assignment and asks for reports several times a second, so a host never
/// has to remember a request. All methods are called by one thread and return soon.
public interface TaskHost {
    /// Calls `changed`, from any thread, when [#tasks] may have a new answer. A host that cannot
    /// tell may leave it: the agent also asks several times a second.
    void watch(Runnable changed);

    /// Brings the node nearer to having exactly these tasks. A wanted task that has ended stays
    /// ended; a task that is not wanted is stopped.
    void converge(String node, List<TaskOrder> wanted);

    /// Like [#converge], but starts nothing and lets nothing go: the assignment is from before a
    /// break in the session, so another node may have been given what has not started here. A host
    /// whose tasks need no fencing may do nothing.
    default void restrain(String node, List<TaskOrder> wanted) {}

    /// What is true of every task, those included that ended and were not [#acknowledged]. The
    /// reports have no sequence yet.
    List<TaskReport> tasks();

    /// The scheduler knows for good that this task ended or was refused; it need not be told again.
    void acknowledged(TaskRef task);

    /// Output of a task from an offset, at once: empty where there is none yet.
    LogChunk log(LogRequest request);

    /// How far the output of a task has come. It costs less than [#log], and two equal marks mean
    /// that [#log] has nothing new to say.
    LogMark logMark(TaskRef task);

    /// @param end bytes written so far; -1 where no output of the task is kept
    /// @param over whether the task has ended
    record LogMark(long end, boolean over) {}

    /// Drops what is no longer worth keeping. Called about once a minute.
    void tidy();
}
