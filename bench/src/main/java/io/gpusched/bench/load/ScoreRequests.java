package io.gpusched.bench.load;

import java.util.ArrayList;
import java.util.List;

/// Score requests and observations, as whole HTTP requests.
public final class ScoreRequests {
    private static final String[] GPUS = {"A100-80GB", "A100-40GB", "L4-24GB", "H100-80GB"};

    private ScoreRequests() {}

    /// Questions about `kinds` kinds of jobs, as in the published example: four candidates and what
    /// the job needs.
    public static List<byte[]> questions(String host, int kinds) {
        var requests = new ArrayList<byte[]>();
        for (int i = 0; i < kinds; i++) {
            String body =
                    """
                    {"job_type":"train-%d","features":{"gpu_mem_gb":20,"batch_size":16},\
                    "candidate_gpu_types":["%s"],"colocated_job_types":["serve-%d"]}\
                    """
                            .formatted(i, String.join("\",\"", GPUS), i % 7);
            requests.add(JobRequests.post("/v1/score", host, body));
        }
        return requests;
    }

    /// A run of each of them on each kind of GPU.
    public static List<byte[]> runs(String host, int kinds) {
        var requests = new ArrayList<byte[]>();
        for (int i = 0; i < kinds * GPUS.length; i++) {
            String body =
                    """
                    {"job_type":"train-%d","gpu_type":"%s","measured_runtime_s":%d.5}\
                    """
                            .formatted(i / GPUS.length, GPUS[i % GPUS.length], 5 + i * 37 % 90);
            requests.add(JobRequests.post("/v1/observe", host, body));
        }
        return requests;
    }
}
