package io.gpusched.demo;

import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.MigProfile;
import io.gpusched.wire.proto.agent.MigSlice;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;
import io.gpusched.wire.proto.agent.TaskReport.Ended;
import io.gpusched.wire.proto.agent.TaskReport.How;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A simulated task that only takes time.
///
/// Its runtime is `DEMO_SECONDS` of its environment, else the seconds of a `sleep` in its command,
/// else between 10 and 40 seconds. `DEMO_EXIT` is its exit code. With `DEMO_IDLE=true` it uses none
/// of its GPUs. A replica of a pool runs until it is stopped.
final class FakeTask {
    static final String SECONDS = "DEMO_SECONDS";
    static final String EXIT = "DEMO_EXIT";
    static final String IDLE = "DEMO_IDLE";

    private static final String POOL = "GPU_SCHEDULER_POOL";
    private static final String PORT = "GPU_SCHEDULER_PORT";
    private static final Pattern SLEEP =
            Pattern.compile("\\bsleep\\s+([0-9]{1,5})(?:\\.[0-9]+)?\\b");
    private static final Pattern EXITS = Pattern.compile("\\bexit\\s+([0-9]{1,3})\\b");
    private static final long STOPPING_MILLIS = 300;
    private static final int KILLED_POLITELY = 143;

    private final String node;
    private final TaskOrder order;
    private long started = -1;
    private long startedEpoch;
    private long stopping = -1;
    private @Nullable Ended ended;

    FakeTask(String node, TaskOrder order) {
        this.node = node;
        this.order = order;
    }

    TaskRef ref() {
        return order.getTask();
    }

    String node() {
        return node;
    }

    /// What it does with each GPU that it holds, whole or in part.
    List<TaskLoad> uses() {
        if (ended != null) {
            return List.of();
        }
        var uses = new ArrayList<TaskLoad>();
        double part = order.getGpuMilli() == 0 ? 1 : order.getGpuMilli() / 1000.0;
        order.getGpusList().forEach(gpu -> uses.add(use(gpu, part)));
        for (MigSlice slice : order.getSlicesList()) {
            MigProfile profile = MigGpuModel.anyNamed(slice.getProfile());
            uses.add(use(slice.getGpu(), profile == null ? 0 : profile.milli() / 1000.0));
        }
        return uses;
    }

    private TaskLoad use(int gpu, double part) {
        return new TaskLoad(gpu, order.getTask().getJob(), part, idle());
    }

    /// Whether it holds its GPUs without using them.
    private boolean idle() {
        return environment().getOrDefault(IDLE, "").equals("true");
    }

    boolean hasEnded() {
        return ended != null;
    }

    void run() {
        if (started < 0) {
            started = System.nanoTime();
            startedEpoch = System.currentTimeMillis();
        }
    }

    void stop() {
        if (stopping < 0) {
            stopping = System.nanoTime();
        }
    }

    /// Advances the state of the task to the present time.
    void age() {
        if (ended != null) {
            return;
        }
        if (stopping >= 0 && millisSince(stopping) >= STOPPING_MILLIS) {
            end(How.STOPPED, KILLED_POLITELY);
        } else if (started >= 0 && limit() > 0 && millisSince(started) >= limit()) {
            end(How.TIMEOUT, KILLED_POLITELY);
        } else if (started >= 0 && !serves() && millisSince(started) >= planned().toMillis()) {
            end(How.EXITED, exitCode());
        }
    }

    private void end(How how, int code) {
        ended =
                Ended.newBuilder()
                        .setHow(how)
                        .setExitCode(code)
                        .setEndedAtEpochMillis(System.currentTimeMillis())
                        .setRanMillis(started < 0 ? 0 : millisSince(started))
                        .build();
    }

    TaskReport report() {
        var report = TaskReport.newBuilder().setTask(order.getTask()).setNodeId(node);
        if (ended != null) {
            return report.setEnded(ended).build();
        }
        if (started >= 0) {
            return report.setRunning(
                            TaskReport.Running.newBuilder().setStartedAtEpochMillis(startedEpoch))
                    .build();
        }
        return report.setPrepared(TaskReport.Prepared.getDefaultInstance()).build();
    }

    /// Everything it has written so far.
    String output() {
        var text = new StringBuilder();
        text.append("pretending to run ").append(command()).append('\n');
        text.append("on ").append(node).append(", GPUs ").append(order.getGpusList()).append('\n');
        long ran = ended != null ? ended.getRanMillis() : started < 0 ? 0 : millisSince(started);
        if (serves()) {
            text.append("serving on port ")
                    .append(environment().getOrDefault(PORT, "0"))
                    .append('\n');
            ran = 0;
        }
        for (long step = 1; step * 1000 <= ran; step++) {
            text.append(
                    "step %d loss %.3f\n".formatted(step, 4.0 / StrictMath.sqrt(step + 1.0) + 0.2));
        }
        if (ended != null) {
            text.append(ended.getHow() == How.EXITED ? "done, exit code " : "stopped, exit code ");
            text.append(ended.getExitCode()).append('\n');
        }
        return text.toString();
    }

    /// Whether it is a replica of a pool.
    private boolean serves() {
        return environment().containsKey(POOL);
    }

    private Duration planned() {
        String said = environment().getOrDefault(SECONDS, "");
        if (said.matches("[0-9]{1,5}(\\.[0-9]+)?")) {
            return Duration.ofMillis((long) (Double.parseDouble(said) * 1000));
        }
        Matcher sleep = SLEEP.matcher(command());
        if (sleep.find()) {
            return Duration.ofSeconds(Long.parseLong(sleep.group(1)));
        }
        return Duration.ofSeconds(10 + order.getTask().getJob() * 7 % 31);
    }

    private int exitCode() {
        String said = environment().getOrDefault(EXIT, "");
        if (said.matches("[0-9]{1,3}")) {
            return Integer.parseInt(said);
        }
        Matcher exits = EXITS.matcher(command());
        return exits.find() ? Integer.parseInt(exits.group(1)) : 0;
    }

    private String command() {
        var spec = order.getSpec();
        return spec.getCommandCount() == 0
                ? spec.getScript()
                : String.join(" ", spec.getCommandList())
                        + " "
                        + String.join(" ", spec.getArgsList());
    }

    private Map<String, String> environment() {
        return order.getSpec().getEnvironmentMap();
    }

    private long limit() {
        return order.getSpec().getTimeLimitMillis();
    }

    private static long millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }
}
