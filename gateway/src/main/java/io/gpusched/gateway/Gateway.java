package io.gpusched.gateway;

import io.gpusched.gateway.admit.KeyCache;
import io.gpusched.gateway.admit.KeyOwner;
import io.gpusched.gateway.admit.TenantRates;
import io.gpusched.gateway.binding.BindingReader;
import io.gpusched.gateway.loop.EventLoop;
import io.gpusched.gateway.page.MetricsPage;
import io.gpusched.gateway.page.StatusPage;
import io.gpusched.gateway.pool.PoolTable;
import io.gpusched.gateway.pool.ServedPool;
import io.gpusched.gateway.pool.ServedReplica;
import io.gpusched.gateway.proxy.ClientListener;
import io.gpusched.gateway.proxy.Frontend;
import io.gpusched.gateway.scheduler.SchedulerClient;
import io.gpusched.gateway.scheduler.SchedulerLink;
import io.gpusched.gateway.scrape.ReplicaWatch;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A running gateway: all its parts in the order in which they start.
public final class Gateway implements AutoCloseable {
    private final GatewaySettings settings;
    private final EventLoop loop = new EventLoop();
    private final PoolTable table = new PoolTable();
    private final SchedulerClient client;
    private final SchedulerLink link;
    private final Frontend frontend;
    private final ClientListener listener;
    private final ReplicaWatch watch;
    private final BindingReader bindings;
    private final String source;

    /// Listens at once; requests are answered after [#start].
    public Gateway(GatewaySettings settings) throws IOException {
        this.settings = settings;
        client = new SchedulerClient(settings.scheduler(), settings.token(), settings.tls());
        bindings = new BindingReader(client);
        var rates = new TenantRates(settings.tenantRate(), settings.tenantRates());
        var metrics = new MetricsPage(table);
        var status = new StatusPage(table);
        var keys = settings.open() ? null : new KeyCache(this::owner, loop::now);
        frontend =
                new Frontend(
                        loop,
                        settings.limits(),
                        table,
                        keys,
                        rates,
                        new Frontend.OwnAnswers(
                                () -> metrics.text(figures()) + bindings.metrics(),
                                () -> status.json(source(), isReachable())));
        try {
            listener = new ClientListener(loop, settings.listen(), frontend);
        } catch (IOException e) {
            client.close();
            throw new IOException(
                    "cannot listen on %s: %s; choose another address with --listen"
                            .formatted(settings.listen(), e.getMessage()),
                    e);
        }
        source = settings.id().isEmpty() ? "gateway-" + port() : settings.id();
        link = new SchedulerLink(client, loop, table, source, settings.pace());
        watch = new ReplicaWatch(loop, table, new Changes(), settings.watch());
        loop.everySweep(frontend::sweep);
    }

    /// Starts to serve. Waits until the scheduler has named its pools, but not for long.
    public void start() throws InterruptedException {
        var named = new CountDownLatch(1);
        loop.start();
        link.start(
                gone -> {
                    gone.forEach(frontend::lost);
                    table.pools().forEach(frontend::changed);
                    named.countDown();
                });
        watch.start();
        bindings.start();
        named.await(settings.pace().poll().toMillis() + 2_000, TimeUnit.MILLISECONDS);
    }

    public int port() {
        return listener.port();
    }

    /// The name of this gateway in its reports.
    public String source() {
        return source;
    }

    public boolean isReachable() {
        return link.isReachable();
    }

    private void owner(String key, Consumer<KeyOwner> then) {
        link.owner(key, then);
    }

    private MetricsPage.GatewayFigures figures() {
        return new MetricsPage.GatewayFigures(
                frontend.connections(), link.isReachable(), link.failedReports(), loop.now());
    }

    /// Takes no new requests, and ends when all answers are complete or the time is over.
    ///
    /// @return how many requests were cut off
    public int stop(Duration patience) throws InterruptedException {
        loop.ask(
                () -> {
                    listener.stop();
                    frontend.stop();
                    return true;
                });
        var done = new CountDownLatch(1);
        loop.post(() -> awaitEnd(done));
        done.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        int left = loop.ask(frontend::active);
        close();
        return left;
    }

    /// Looks again at every sweep, until no request is left.
    private void awaitEnd(CountDownLatch done) {
        if (frontend.active() == 0) {
            done.countDown();
        }
        loop.everySweep(
                now -> {
                    frontend.sweep(now);
                    if (frontend.active() == 0) {
                        done.countDown();
                    }
                });
    }

    @Override
    public void close() {
        bindings.close();
        watch.close();
        link.close();
        loop.close();
        client.close();
    }

    private final class Changes implements ReplicaWatch.Listener {
        @Override
        public void changed(ServedPool pool) {
            frontend.changed(pool);
        }

        @Override
        public void lost(ServedReplica replica) {
            frontend.lost(replica);
        }
    }
}
