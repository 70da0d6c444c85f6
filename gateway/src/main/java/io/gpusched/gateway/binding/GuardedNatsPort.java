package io.gpusched.gateway.binding;

import io.nats.client.impl.SocketDataPort;

import java.io.IOException;

/// A connection to a NATS server whose answers a [NatsGuard] reads first. The client makes it by
/// its name. Whenever the client sends something, the server may answer with a whole budget.
public final class GuardedNatsPort extends SocketDataPort {
    private final AnswerBudget budget = new AnswerBudget();
    private final NatsGuard guard = new NatsGuard(budget);

    @Override
    public int read(byte[] to, int from, int most) throws IOException {
        int read = super.read(to, from, most);
        guard.next(to, from, from + Math.max(0, read));
        return read;
    }

    @Override
    public void write(byte[] bytes, int count) throws IOException {
        budget.renew();
        super.write(bytes, count);
    }
}
