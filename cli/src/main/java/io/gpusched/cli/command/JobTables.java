package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;

/// The columns of a job, in a list and in detail.
final class JobTables {
    private static final List<String> NAMES = List.of("job_id", "id");

    /// A list names at most this many nodes of a job and counts the others.
    private static final int MOST_NODES = 3;

    private JobTables() {}

    /// @param now the current time, for the elapsed time of running jobs
    static TableLayout list(Instant now) {
        return new TableLayout(
                NAMES,
                List.of(
                        Column.of("JOB ID", JobTables::id),
                        Column.of("NAME", "name"),
                        Column.of("TENANT", "tenant_id"),
                        Column.of("STATE", ExitStatus::stateOf),
                        Column.of("GPUs", "gpu_count"),
                        Column.of("PRIORITY", "priority"),
                        Column.of("ELAPSED", job -> elapsed(job, now)),
                        Column.of("NODE", JobTables::nodes),
                        Column.of("SUBMITTED", job -> CellText.time(job.at("submitted_at")))
                                .onlyWide(),
                        Column.of("POSITION", JobTables::position).onlyWide(),
                        Column.of("EXPECTED START", JobTables::start).onlyWide(),
                        Column.of("STARTED", job -> CellText.time(job.at("started_at"))).onlyWide(),
                        Column.of("ENDED", job -> CellText.time(job.at("completed_at"))).onlyWide(),
                        Column.of("PREEMPTED", "preempted_count").onlyWide(),
                        Column.of("EXIT", "exit_code").onlyWide(),
                        Column.of("DEADLINE", job -> CellText.time(job.at("deadline"))).onlyWide(),
                        Column.of("CAPACITY", DeadlineText::capacity).onlyWide(),
                        Column.of("REASON", JobTables::reason)));
    }

    /// How long the job has been running, or ran; empty before it starts.
    private static String elapsed(Json job, Instant now) {
        String started = job.at("started_at").text();
        String ended = job.at("completed_at").text();
        if (started.isEmpty()) {
            return "";
        }
        try {
            Instant until = ended.isEmpty() ? now : Instant.parse(ended);
            long seconds = Duration.between(Instant.parse(started), until).toSeconds();
            return CellText.seconds(Json.of(Math.max(0, seconds)));
        } catch (DateTimeParseException noTime) {
            return "";
        }
    }

    /// `n1,n2,+14`, so that a large gang does not push the reason off the screen.
    private static String nodes(Json job) {
        String[] names = job.at("node_name").text().split(",", -1);
        return names.length <= MOST_NODES
                ? String.join(",", names)
                : String.join(",", List.of(names).subList(0, MOST_NODES - 1))
                        + ",+"
                        + (names.length - MOST_NODES + 1);
    }

    static TableLayout detail() {
        return new TableLayout(
                NAMES,
                List.of(
                        Column.of("Job ID", JobTables::id),
                        Column.of("Name", "name"),
                        Column.of("State", ExitStatus::stateOf),
                        Column.of("Reason", JobTables::reason),
                        Column.of("Message", JobTables::message),
                        Column.of("Last run", "last_failure"),
                        Column.of("Tenant", "tenant_id"),
                        Column.of("Pool", JobTables::pool),
                        Column.of("Priority", "priority"),
                        Column.of("GPUs", "gpu_count"),
                        Column.of("MIG profile", "mig_profile"),
                        Column.of("GPU percent", JobTables::percent),
                        Column.of("GPU model", "gpu_model"),
                        Column.of("GPU locality", JobTables::locality),
                        Column.of("GPU bandwidth", "gpu_min_bandwidth"),
                        Column.of("GPU memory", job -> size(job.at("gpu_memory_mb"))),
                        Column.of("CPUs", "cpu_cores"),
                        Column.of("Memory", job -> size(job.at("memory_mb"))),
                        Column.of("Tasks", "tasks"),
                        Column.of("Within", "within"),
                        Column.of("Near", "near"),
                        Column.of("Carbon shift", JobTables::carbonShift),
                        Column.of(
                                "Regions", job -> job.at("carbon").at("preferred_regions").text()),
                        Column.of("Node", "node_name"),
                        Column.of("Devices", "allocated_gpus"),
                        Column.of("Position", JobTables::position),
                        Column.of("Estimated wait", JobTables::wait),
                        Column.of("Starts about", JobTables::start),
                        Column.of("Submitted", job -> CellText.time(job.at("submitted_at"))),
                        Column.of("Started", job -> CellText.time(job.at("started_at"))),
                        Column.of("Ended", job -> CellText.time(job.at("completed_at"))),
                        Column.of("Exit code", "exit_code"),
                        Column.of("Preempted", "preempted_count"),
                        Column.of("Time limit", JobTables::limit),
                        Column.of("Deadline", job -> CellText.time(job.at("deadline"))),
                        Column.of("Capacity", DeadlineText::capacityAndReason),
                        Column.of("Image", "image").onlyWide(),
                        Column.of("Command", "command").onlyWide(),
                        Column.of("Arguments", "args").onlyWide(),
                        Column.of("Script", "script").onlyWide(),
                        Column.of("Environment", "environment").onlyWide(),
                        Column.of("Directory", "working_dir").onlyWide(),
                        Column.of("Node selector", "node_selector").onlyWide(),
                        Column.of("Tolerations", "tolerations").onlyWide(),
                        Column.of("Labels", "labels").onlyWide()));
    }

    /// Empty if the reason only repeats the state.
    private static String reason(Json job) {
        String reason = job.at("reason").text();
        return reason.equals(ExitStatus.stateOf(job)) ? "" : reason;
    }

    private static String message(Json job) {
        String message = job.at("message").text();
        return message.equals(job.at("reason").text()) ? "" : message;
    }

    /// `any` is the default and is not shown.
    private static String locality(Json job) {
        String locality = job.at("gpu_locality").text();
        return locality.equals("any") ? "" : locality;
    }

    private static String limit(Json job) {
        long minutes = job.at("max_runtime_minutes").number(0);
        long seconds = job.at("max_runtime").number(60 * minutes);
        return seconds <= 0 ? "" : CellText.seconds(Json.of(seconds));
    }

    private static String pool(Json job) {
        String pool = job.at("pool").text();
        return pool.isEmpty() ? "" : pool + ", replica " + job.at("replica").text();
    }

    /// `6 h, up to 200 g/kWh`; empty for a job that may not wait for clean power.
    private static String carbonShift(Json job) {
        String hours = job.at("carbon").at("shift_hours").text();
        String most = job.at("carbon").at("max_intensity").text();
        return hours.isEmpty()
                ? ""
                : hours + " h" + (most.isEmpty() ? "" : ", up to " + most + " g/kWh");
    }

    private static String percent(Json job) {
        String percent = job.at("gpu_percent").text();
        return percent.isEmpty() ? "" : percent + " %";
    }

    private static String id(Json job) {
        return job.firstOf("job_id", "id").text();
    }

    /// Only waiting jobs have a queue position; for others the server sends 0 or -1.
    private static String position(Json job) {
        long position = job.at("queue_position").number(0);
        return position > 0 ? Long.toString(position) : "";
    }

    private static String size(Json mebibytes) {
        return mebibytes.number(0) == 0 ? "" : CellText.mebibytes(mebibytes);
    }

    private static String start(Json job) {
        Json start = job.at("estimated_start");
        if (start.isNil()) {
            return "";
        }
        return start.at("due").equals(Json.of(true))
                ? "any moment"
                : CellText.time(start.at("p50"));
    }

    /// The estimated start, with the range that covers eight of ten outcomes.
    static String startRange(Json job) {
        Json start = job.at("estimated_start");
        if (start.isNil() || start.at("p50").isNil()) {
            return "";
        }
        String late = CellText.time(start.at("p90"));
        if (start.at("due").equals(Json.of(true))) {
            return "any moment" + (late.isEmpty() ? "" : ", likely before " + late);
        }
        String until = late.isEmpty() ? "or later" : "to " + late;
        return CellText.time(start.at("p50"))
                + " ("
                + CellText.time(start.at("p10"))
                + " "
                + until
                + ")";
    }

    private static String wait(Json job) {
        Json range = job.at("estimated_wait_range");
        String middle = CellText.seconds(job.at("estimated_wait"));
        if (middle.isEmpty() || range.isNil()) {
            return middle;
        }
        String early = CellText.seconds(range.at("p10"));
        String late = CellText.seconds(range.at("p90"));
        if (middle.equals("0s")) {
            return "any moment" + (late.isEmpty() || late.equals("0s") ? "" : ", up to " + late);
        }
        return late.isEmpty()
                ? "%s (%s or more)".formatted(middle, early)
                : "%s (%s to %s)".formatted(middle, early, late);
    }
}
