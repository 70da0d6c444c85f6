package io.gpusched.agent;

import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What the scheduler has been told about each task, and what it has confirmed.
///
/// A report is sent when it says something new, again when it stays unconfirmed for a while, and
/// within every Hello. The scheduler may therefore hear everything twice, and never nothing.
final class ReportOutbox {
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private final Map<TaskRef, Reported> told = new LinkedHashMap<>();
    private final Map<Long, TaskRef> bySequence = new HashMap<>();
    private long sequence;

    private record Reported(TaskReport report, long at, boolean confirmed) {}

    /// Reports that must be sent now, given all that is true now.
    List<TaskReport> due(List<TaskReport> present, long now) {
        forgetAllBut(present);
        List<TaskReport> due = new ArrayList<>();
        for (TaskReport report : present) {
            Reported before = told.get(report.getTask());
            if (before == null || !says(before.report, report)) {
                due.add(remember(report, now));
            } else if (!before.confirmed && now - before.at > PATIENCE_NANOS) {
                told.put(report.getTask(), new Reported(before.report, now, false));
                due.add(before.report);
            }
        }
        return due;
    }

    /// All that is true now, for a scheduler that may know nothing.
    List<TaskReport> everything(List<TaskReport> present, long now) {
        forgetAllBut(present);
        return present.stream().map(report -> remember(report, now)).toList();
    }

    /// Notes that a report arrived for good.
    ///
    /// @return the task, when what was confirmed is its end; else null
    @Nullable TaskRef confirmed(long confirmedSequence) {
        TaskRef task = bySequence.remove(confirmedSequence);
        Reported known = task == null ? null : told.get(task);
        if (known == null || known.report.getSequence() != confirmedSequence) {
            return null;
        }
        told.put(known.report.getTask(), new Reported(known.report, known.at, true));
        return known.report.hasEnded() || known.report.hasRefused() ? task : null;
    }

    private TaskReport remember(TaskReport report, long now) {
        TaskReport numbered = report.toBuilder().setSequence(++sequence).build();
        Reported before = told.put(report.getTask(), new Reported(numbered, now, false));
        if (before != null) {
            bySequence.remove(before.report.getSequence());
        }
        bySequence.put(numbered.getSequence(), report.getTask());
        return numbered;
    }

    private void forgetAllBut(List<TaskReport> present) {
        if (told.size() > present.size()) {
            told.keySet().retainAll(present.stream().map(TaskReport::getTask).toList());
            bySequence.values().retainAll(told.keySet());
        }
    }

    private static boolean says(TaskReport before, TaskReport now) {
        return before.toBuilder().setSequence(0).build().equals(now);
    }
}
