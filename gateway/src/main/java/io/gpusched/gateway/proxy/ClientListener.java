package io.gpusched.gateway.proxy;

import io.gpusched.gateway.loop.EventLoop;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/// Accepts clients. When there are too many, or the process has no file left, it waits instead of
/// failing; clients then wait in the backlog of the system.
public final class ClientListener implements EventLoop.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(ClientListener.class);
    private static final int BACKLOG = 1024;

    private final ServerSocketChannel channel;
    private final Frontend frontend;
    private final SelectionKey key;

    public ClientListener(EventLoop loop, InetSocketAddress address, Frontend frontend)
            throws IOException {
        this.frontend = frontend;
        channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(address, BACKLOG);
            channel.configureBlocking(false);
            key = loop.register(channel, SelectionKey.OP_ACCEPT, this);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    public int port() {
        return channel.socket().getLocalPort();
    }

    @Override
    public void ready(SelectionKey ready) throws IOException {
        while (frontend.hasRoom()) {
            SocketChannel accepted = channel.accept();
            if (accepted == null) {
                return;
            }
            accepted.configureBlocking(false);
            accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
            frontend.connected(accepted);
        }
        ready.interestOps(0);
    }

    @Override
    public void sweep(long now) {
        if (key.isValid() && key.interestOps() == 0 && frontend.hasRoom()) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    @Override
    public void failed(Exception cause) {
        LOG.warn("cannot accept a connection: {}", cause.toString());
        if (key.isValid()) {
            key.interestOps(0);
        }
    }

    /// Accepts no more clients.
    public void stop() {
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("cannot close the listening socket: {}", e.toString());
        }
    }
}
