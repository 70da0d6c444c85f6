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

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// The threads that accept and serve gRPC connections, with a limit on the number of connections.
/// gRPC has no such limit of its own. Every accepted connection first registers with the serving
/// threads, so these count the connections.
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
        // Their threads are daemons, so close does not wait for them.
        var _ = serving.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        var _ = accepting.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /// Counts connections. At the limit no connection is accepted: further ones wait in the
    /// operating system until one ends.
    private static final class Count {
        private static final Logger LOG = LoggerFactory.getLogger(ConnectionLoops.class);
        private static final long BETWEEN_WARNINGS = TimeUnit.SECONDS.toNanos(10);

        private final int most;
        private final AtomicInteger open = new AtomicInteger();
        private long warned = System.nanoTime() - BETWEEN_WARNINGS;

        Count(int most) {
            this.most = most;
        }

        /// Called by the thread of the listening socket.
        ChannelFuture admit(Channel connection, ChannelFuture registered) {
            Channel listening = connection.parent();
            open.incrementAndGet();
            acceptWhereThereIsRoom(listening);
            var _ =
                    connection
                            .closeFuture()
                            .addListener(
                                    closed -> {
                                        open.decrementAndGet();
                                        listening
                                                .eventLoop()
                                                .execute(() -> acceptWhereThereIsRoom(listening));
                                    });
            return registered;
        }

        /// Always runs on the thread of the listening socket, so that the newest count wins.
        private void acceptWhereThereIsRoom(Channel listening) {
            boolean room = open.get() < most;
            if (!room && System.nanoTime() - warned >= BETWEEN_WARNINGS) {
                warned = System.nanoTime();
                LOG.warn("all {} gRPC connections are in use; further ones wait", most);
            }
            listening.config().setAutoRead(room);
        }
    }
}
