package io.gpusched.operator.pods;

import com.google.protobuf.ByteString;

import io.gpusched.agent.task.TaskHost.LogMark;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;

import java.util.HashMap;
import java.util.Map;

/// The output of pods that somebody reads at the moment. The API server knows no offset, so the
/// output is fetched from its beginning and kept for as long as it is read; the agent is answered
/// from there without waiting.
///
/// At most some megabytes of each pod are kept, the first ones. What follows is said, not shown.
public final class PodLogs implements AutoCloseable {
    private static final int MOST_BYTES = 8 << 20;
    private static final int MOST_READERS = 32;
    private static final long FRESH_NANOS = 1_000_000_000L;
    private static final long UNUSED_NANOS = 60_000_000_000L;

    private final KubeApi api;
    private final CallWindow window = new CallWindow("pod-log", 4);
    private final Map<String, Output> outputs = new HashMap<>();

    private static final class Output {
        private byte[] bytes = new byte[0];
        private String problem = "";
        private boolean fetching;
        private boolean whole;
        private long fetchedAt = System.nanoTime() - FRESH_NANOS;
        private long usedAt = System.nanoTime();
    }

    public PodLogs(KubeApi api) {
        this.api = api;
    }

    /// @param over whether the pod has ended
    public synchronized LogMark mark(PodKey pod, boolean over) {
        Output output = output(pod, over);
        return new LogMark(output.bytes.length, over && output.whole);
    }

    public synchronized LogChunk read(PodKey pod, boolean over, LogRequest request) {
        Output output = output(pod, over);
        var chunk = LogChunk.newBuilder().setRequest(request.getRequest());
        if (!output.problem.isEmpty() && output.bytes.length == 0) {
            return chunk.setProblem(output.problem).build();
        }
        int end = output.bytes.length;
        long from = request.getOffset() < 0 ? end + request.getOffset() : request.getOffset();
        int start = (int) Math.clamp(from, 0L, end);
        int size = Math.min(end - start, Math.max(0, request.getMaxBytes()));
        return chunk.setOffset(start)
                .setContent(ByteString.copyFrom(output.bytes, start, size))
                .setComplete(over && output.whole && start + size == end)
                .build();
    }

    /// The output, which is fetched again if it may have grown.
    private Output output(PodKey pod, boolean over) {
        if (outputs.size() >= MOST_READERS && !outputs.containsKey(pod.uid())) {
            outputs.entrySet().removeIf(each -> !each.getValue().fetching);
        }
        Output output = outputs.computeIfAbsent(pod.uid(), _ -> new Output());
        output.usedAt = System.nanoTime();
        boolean old = output.usedAt - output.fetchedAt > FRESH_NANOS;
        if (old && !output.fetching && !output.whole) {
            output.fetching = true;
            window.run(() -> fetch(pod, output, over));
        }
        return output;
    }

    private void fetch(PodKey pod, Output output, boolean over) {
        byte[] bytes = new byte[0];
        String problem = "";
        try {
            bytes = api.log(pod.namespace(), pod.name(), "limitBytes=" + MOST_BYTES);
        } catch (KubeException e) {
            problem = "cannot read the log of pod %s: %s".formatted(pod, e.getMessage());
        }
        synchronized (this) {
            output.fetching = false;
            output.fetchedAt = System.nanoTime();
            output.problem = problem;
            if (problem.isEmpty()) {
                output.bytes = bytes;
                output.whole = over || bytes.length >= MOST_BYTES;
            }
        }
    }

    public synchronized void tidy() {
        long now = System.nanoTime();
        outputs.values().removeIf(each -> !each.fetching && now - each.usedAt > UNUSED_NANOS);
    }

    @Override
    public void close() {
        window.close();
    }
}
