package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Several clients may scrape the metrics at a time.
@Timeout(120)
final class ScrapeTest {
    private static final int READERS = 8;
    private static final int EACH = 40;

    @TempDir Path dataDir;

    @Test
    void readersThatOverlapAreAllAnswered() throws Exception {
        try (Running rest = Running.in(dataDir);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                rest.post("/api/v1/tenants", "{\"id\":\"t%d\",\"name\":\"t\"}".formatted(i));
            }
            var readers = new ArrayList<Future<?>>();
            for (int i = 0; i < READERS; i++) {
                readers.add(
                        threads.submit(
                                () -> {
                                    for (int n = 0; n < EACH; n++) {
                                        var page = rest.get(rest.server().metricsUrl());
                                        assertThat(page.status()).isEqualTo(200);
                                        assertThat(page.text())
                                                .contains("gpu_scheduler_tenant_share{tenant=");
                                    }
                                }));
            }
            for (Future<?> reader : readers) {
                reader.get();
            }
        }
    }
}
