package io.gpusched.bench.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A gateway as `bin/gateway` starts it, on a port that is free.
final class GatewayProcess {
    private static final int PATIENCE_SECONDS = 30;

    private final Process process;
    private final InetSocketAddress address;

    private GatewayProcess(Process process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    static GatewayProcess start(BenchFolder folder, URI scheduler)
            throws IOException, InterruptedException {
        var builder =
                new ProcessBuilder(
                        folder.launcher("gateway").toString(),
                        "--scheduler=" + scheduler,
                        "--listen=127.0.0.1:0",
                        "--report-ms=100",
                        "--poll-ms=100",
                        "--open");
        builder.redirectError(folder.folder("logs").resolve("gateway.log").toFile());
        Environments.clean(builder.environment());
        Process process = builder.start();
        folder.keep(
                () -> {
                    process.destroy();
                    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                        process.destroyForcibly().waitFor();
                    }
                });
        var port = new CompletableFuture<Integer>();
        Thread.ofVirtual().start(() -> read(process, port));
        try {
            return new GatewayProcess(
                    process,
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(),
                            port.get(PATIENCE_SECONDS, TimeUnit.SECONDS)));
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the gateway did not start", e);
        }
    }

    private static void read(Process process, CompletableFuture<Integer> port) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("gateway listening on ")) {
                    port.complete(URI.create(line.split(" ")[3]).getPort());
                }
            }
            port.completeExceptionally(new IOException("it ended"));
        } catch (IOException e) {
            port.completeExceptionally(e);
        }
    }

    InetSocketAddress address() {
        return address;
    }

    /// Processor time used so far.
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
