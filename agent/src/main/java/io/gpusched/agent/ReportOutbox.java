package io.gpusched.agent;

import io.gpusched.agent.task.HostChanges;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// The reports sent to the scheduler about each task, and which of them it has confirmed.
///
/// A report is sent when it changes, again while it stays unconfirmed, and in every Hello. So the
/// scheduler may receive a report twice, but never misses one.
final class ReportOutbox {
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private final Map<TaskRef, Reported> reported = new LinkedHashMap<>();

    /// Unconfirmed reports, in the order in which they were last sent.
    private final Map<Long, TaskRef> bySequence = new LinkedHashMap<>();

    private long sequence;

    private record Reported(TaskReport report, long at, boolean confirmed) {}

    /// The reports to send now.
    ///
    /// @param present the current report of every task
    List<TaskReport> due(List<TaskReport> present, long now) {
        forgetAllBut(present);
        List<TaskReport> due = new ArrayList<>();
        changed(present, now, due);
        repeat(now, due);
        return due;
    }

    /// The reports to send now, where the host names what has changed. The cost does not depend on
    /// the number of tasks.
    List<TaskReport> due(HostChanges changes, long now) {
        List<TaskReport> due = new ArrayList<>();
        changed(changes.reports(), now, due);
        for (TaskRef task : changes.gone()) {
            Reported last = reported.remove(task);
            if (last != null) {
                bySequence.remove(last.report.getSequence());
            }
        }
        repeat(now, due);
        return due;
    }

    private void changed(List<TaskReport> present, long now, List<TaskReport> due) {
        for (TaskReport report : present) {
            Reported before = reported.get(report.getTask());
            if (before == null || !hasSameContent(before.report, report)) {
                due.add(remember(report, now));
            }
        }
    }

    /// Adds the reports that have been unconfirmed for too long, the longest first.
    private void repeat(long now, List<TaskReport> due) {
        while (!bySequence.isEmpty()) {
            TaskRef task = bySequence.values().iterator().next();
            Reported oldest = Objects.requireNonNull(reported.get(task));
            if (now - oldest.at <= PATIENCE_NANOS) {
                return;
            }
            long number = oldest.report.getSequence();
            bySequence.remove(number);
            bySequence.put(number, task);
            reported.put(task, new Reported(oldest.report, now, false));
            due.add(oldest.report);
        }
    }

    /// All current reports, for a scheduler that may know none of them.
    List<TaskReport> everything(List<TaskReport> present, long now) {
        forgetAllBut(present);
        return present.stream().map(report -> remember(report, now)).toList();
    }

    /// Notes that the scheduler has confirmed a report.
    ///
    /// @return the task, if the confirmed report is its end; otherwise null
    @Nullable TaskRef confirmed(long confirmedSequence) {
        TaskRef task = bySequence.remove(confirmedSequence);
        Reported known = task == null ? null : reported.get(task);
        if (known == null || known.report.getSequence() != confirmedSequence) {
            return null;
        }
        reported.put(known.report.getTask(), new Reported(known.report, known.at, true));
        return known.report.hasEnded() || known.report.hasRefused() ? task : null;
    }

    private TaskReport remember(TaskReport report, long now) {
        TaskReport numbered = report.toBuilder().setSequence(++sequence).build();
        Reported before = reported.put(report.getTask(), new Reported(numbered, now, false));
        if (before != null) {
            bySequence.remove(before.report.getSequence());
        }
        bySequence.put(numbered.getSequence(), report.getTask());
        return numbered;
    }

    private void forgetAllBut(List<TaskReport> present) {
        if (reported.size() > present.size()) {
            Set<TaskRef> kept = new HashSet<>();
            present.forEach(report -> kept.add(report.getTask()));
            reported.keySet().retainAll(kept);
            bySequence.values().retainAll(reported.keySet());
        }
    }

    private static boolean hasSameContent(TaskReport before, TaskReport now) {
        return before.toBuilder().setSequence(0).build().equals(now);
    }
}
