package io.gpusched.operator.kube;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/// The body of an answer, read while it arrives. A read fails when nothing has come for some time:
/// the timeout of the JDK's client ends with the headers, and a connection that died without a word
/// would be read for ever.
///
/// At most one part is requested ahead, so a slow reader slows the server and fills no memory.
final class AnswerBody extends InputStream implements HttpResponse.BodySubscriber<AnswerBody> {
    private record End(String failure) {}

    private static final int BITS = 0xff;

    private final Duration silence;
    private final BlockingQueue<Object> parts = new LinkedBlockingQueue<>();
    private final AtomicReference<Flow.@Nullable Subscription> subscription =
            new AtomicReference<>();
    private volatile boolean isCancelled;
    private Iterator<ByteBuffer> buffers = List.<ByteBuffer>of().iterator();
    private ByteBuffer current = ByteBuffer.allocate(0);
    private boolean ended;

    /// @param silence how long a read may wait
    AnswerBody(Duration silence) {
        this.silence = silence;
    }

    @Override
    public CompletionStage<AnswerBody> getBody() {
        return CompletableFuture.completedStage(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription one) {
        subscription.set(one);
        if (isCancelled) {
            one.cancel();
        } else {
            one.request(1);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> arrived) {
        parts.add(arrived);
    }

    @Override
    public void onError(Throwable failure) {
        parts.add(new End(String.valueOf(failure.getMessage())));
    }

    @Override
    public void onComplete() {
        parts.add(new End(""));
    }

    @Override
    public int read() throws IOException {
        return fill() ? current.get() & BITS : -1;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, current.remaining());
        current.get(into, from, count);
        return count;
    }

    private boolean fill() throws IOException {
        while (!ended && !current.hasRemaining()) {
            if (buffers.hasNext()) {
                current = buffers.next();
            } else {
                await();
            }
        }
        return current.hasRemaining();
    }

    private void await() throws IOException {
        try {
            Object part = parts.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
            switch (part) {
                case null -> {
                    close();
                    throw new SocketTimeoutException(
                            "nothing came for " + silence.toSeconds() + " s");
                }
                case End end -> finish(end);
                default -> take(part);
            }
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        }
    }

    @SuppressWarnings("unchecked") // Only onNext adds anything else.
    private void take(Object part) {
        buffers = ((List<ByteBuffer>) part).iterator();
        Flow.Subscription from = subscription.get();
        if (from != null) {
            from.request(1);
        }
    }

    private void finish(End end) throws IOException {
        ended = true;
        if (!end.failure().isEmpty()) {
            throw new IOException(end.failure());
        }
    }

    /// Gives the connection back if everything was read, otherwise ends the request.
    @Override
    public void close() {
        if (!ended) {
            ended = true;
            current = ByteBuffer.allocate(0);
            isCancelled = true;
            Flow.Subscription from = subscription.get();
            if (from != null) {
                from.cancel();
            }
        }
    }
}
