package io.gpusched.bench.load;

import io.gpusched.core.model.JobId;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Submissions as whole HTTP requests, the same ones for the same seed.
public final class JobRequests {
    private JobRequests() {}

    /// `count` different submissions of the default tenant.
    public static List<byte[]> make(String host, int count, long seed) {
        var random = new SplittableRandom(seed);
        var requests = new ArrayList<byte[]>();
        for (int i = 0; i < count; i++) {
            String body =
                    """
                    {"name":"train-%d","tenant_id":"default","priority":%d,"gpu_count":%d,\
                    "cpu_cores":8,"memory_mb":32768,"command":["python","train.py"],\
                    "args":["--epochs","100"],"max_runtime_minutes":240}\
                    """
                            .formatted(i, 100 * (1 + random.nextInt(20)), 1 << random.nextInt(4));
            requests.add(post("/api/v1/jobs", host, body));
        }
        return requests;
    }

    /// A job of one core and no GPU, of which a large cluster can hold very many.
    public static byte[] small(String host, String tenant) {
        return post(
                "/api/v1/jobs",
                host,
                """
                {"tenant_id":"%s","gpu_count":0,"cpu_cores":1,"memory_mb":1,"command":["true"]}\
                """
                        .formatted(tenant));
    }

    /// A question why the job waits, for each of these numbers.
    public static List<byte[]> explain(String host, int first, int count) {
        var requests = new ArrayList<byte[]>();
        for (int job = first; job < first + count; job++) {
            requests.add(
                    "GET /api/v1/jobs/%s/explain HTTP/1.1\r\nHost: %s\r\n\r\n"
                            .formatted(new JobId(job), host)
                            .getBytes(StandardCharsets.UTF_8));
        }
        return requests;
    }

    /// A whole request that posts `body`.
    static byte[] post(String path, String host, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head =
                "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                        .formatted(path, host, bytes.length);
        return (head + body).getBytes(StandardCharsets.UTF_8);
    }
}
