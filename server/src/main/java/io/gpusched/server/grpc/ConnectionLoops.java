package io.gpusched.server.grpc;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// The threads that accept and serve gRPC connections, and the bound on how many there are. gRPC
/// has no such bound of its own; every accepted connection registers with the serving threads
/// before anything else happens to it, so they count.
///
/// @param accepting the thread of the listening socket
/// @param serving the threads of the connections
record ConnectionLoops(
        EventLoopGroup accepting,
        EventLoopGroup serving,
        Class<? extends ServerChannel> channelType)
        implements AutoCloseable {
    static ConnectionLoops of(int mostConnections) {
        boolean epoll = Epoll.isAvailable();
        IoHandlerFactory handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        var count = new Count(mostConnections);
        return new ConnectionLoops(
                new MultiThreadIoEventLoopGroup(1, threads("grpc-accept"), handlers),
                new MultiThreadIoEventLoopGroup(cores(), threads("grpc"), handlers) {
                    @Override
                    public ChannelFuture register(Channel connection) {
                        return count.admit(connection, super.register(connection));
                    }
                },
                epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class);
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static ThreadFactory threads(String name) {
        return new DefaultThreadFactory(name, true);
    }

    @Override
    public void close() {
        // Their threads are daemons, nobody waits for them.
        Future<?> unused = serving.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        unused = accepting.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /// Counts connections, and closes those beyond the most.
    private static final class Count {
        private static final Logger LOG = LoggerFactory.getLogger(ConnectionLoops.class);
        private static final long BETWEEN_WARNINGS = TimeUnit.SECONDS.toNanos(10);

        private final int most;
        private final AtomicInteger open = new AtomicInteger();
        private final AtomicLong warned = new AtomicLong(System.nanoTime() - BETWEEN_WARNINGS);

        Count(int most) {
            this.most = most;
        }

        ChannelFuture admit(Channel connection, ChannelFuture registered) {
            int number = open.incrementAndGet();
            Future<?> unused =
                    connection.closeFuture().addListener(closed -> open.decrementAndGet());
            if (number > most) {
                warn();
                unused = connection.close();
            }
            return registered;
        }

        private void warn() {
            long now = System.nanoTime();
            long last = warned.get();
            if (now - last >= BETWEEN_WARNINGS && warned.compareAndSet(last, now)) {
                LOG.warn("all {} gRPC connections are in use; closing further ones", most);
            }
        }
    }
}
