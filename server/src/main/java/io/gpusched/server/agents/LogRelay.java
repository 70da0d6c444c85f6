package io.gpusched.server.agents;

import com.google.protobuf.ByteString;

import io.gpusched.wire.agent.AgentCodec;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Requests the output of tasks from their agents and passes each answer to the waiting reader.
final class LogRelay implements LogSource {
    /// How long an agent's answer may take, beyond the time that the agent may wait for new output.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(LogRelay.class);

    private final AgentRegistry agentRegistry;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, PendingRequest> waiting = new ConcurrentHashMap<>();

    private record PendingRequest(AgentSession sentTo, BlockingQueue<LogChunk> answer) {}

    LogRelay(AgentRegistry agentRegistry) {
        this.agentRegistry = agentRegistry;
    }

    @Override
    public Fetched fetch(Log log, long offset, int maxBytes, Duration wait) {
        AgentSession agentSession = agentRegistry.session(log.node());
        if (agentSession == null) {
            return away(log);
        }
        long number = numbers.incrementAndGet();
        BlockingQueue<LogChunk> answer = new ArrayBlockingQueue<>(1);
        waiting.put(number, new PendingRequest(agentSession, answer));
        try {
            if (!agentSession.equals(agentRegistry.session(log.node()))) {
                return away(log); // The session ended before this request was registered.
            }
            agentSession.ask(
                    LogRequest.newBuilder()
                            .setRequest(number)
                            .setTask(AgentCodec.ref(log.attempt(), log.rank()))
                            .setOffset(offset)
                            .setMaxBytes(maxBytes)
                            .setWaitMillis(wait.toMillis())
                            .build());
            Duration patience = wait.plus(PATIENCE);
            return fetched(answer.poll(patience.toMillis(), TimeUnit.MILLISECONDS), log);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Fetched.Unavailable("interrupted");
        } finally {
            waiting.remove(number);
        }
    }

    /// Accepts an answer only from the agent that the request was sent to: request numbers are easy
    /// to guess, and an agent must not answer for another agent's tasks.
    void arrived(AgentSession from, LogChunk chunk) {
        PendingRequest request = waiting.get(chunk.getRequest());
        if (request == null) {
            return; // Too late: the request has timed out.
        }
        if (!request.sentTo.equals(from)) {
            LOG.warn(
                    "{} answered log request {}, which was sent to another agent; the answer was"
                            + " dropped",
                    from,
                    chunk.getRequest());
            return;
        }
        request.answer.offer(chunk); // A second answer to one request is dropped.
    }

    /// Ends all requests that were sent through this session: no answer will come any more.
    void over(AgentSession agentSession) {
        var gone = LogChunk.newBuilder().setProblem("the connection to the node broke off").build();
        for (PendingRequest request : waiting.values()) {
            if (request.sentTo.equals(agentSession)) {
                request.answer.offer(gone);
            }
        }
    }

    private static Fetched away(Log log) {
        return new Fetched.Unavailable(
                "node " + log.node() + " is not connected; try again when it is back");
    }

    private static Fetched fetched(@Nullable LogChunk chunk, Log log) {
        if (chunk == null) {
            return new Fetched.Unavailable("node " + log.node() + " does not answer");
        }
        if (!chunk.getProblem().isEmpty()) {
            return new Fetched.Unavailable(chunk.getProblem());
        }
        ByteString content = chunk.getContent();
        return new Fetched.Piece(chunk.getOffset(), content, chunk.getComplete());
    }
}
