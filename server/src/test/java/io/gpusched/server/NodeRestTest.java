package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;

/// Routes about nodes and the cluster, against the real server.
@Timeout(60)
final class NodeRestTest {
    @TempDir static Path temp;

    private static int made;

    private final Running rest = Running.in(temp.resolve("data-" + made++));
    private final FakeNodes nodes = new FakeNodes(rest.server());

    @AfterEach
    void stop() {
        rest.close();
    }

    @Test
    void nodesAreShownWithTheirGpusAndTheirHolders() {
        nodes.join("n1", 4);
        String id = rest.submit("{\"gpu_count\":3,\"cpu_cores\":10,\"memory_mb\":1000}");

        JsonNode all = rest.get("/api/v1/nodes").json();
        assertThat(all.get("total").asInt()).isEqualTo(1);
        JsonNode node = all.get("nodes").get(0);
        assertThat(node).isEqualTo(rest.get("/api/v1/nodes/n1").json());
        assertThat(node.get("state").asText()).isEqualTo("ready");
        assertThat(node.get("gpu_model").asText()).isEqualTo("A100-80GB");
        assertThat(node.get("total_gpus").asInt()).isEqualTo(4);
        assertThat(node.get("available_gpus").asInt()).isEqualTo(1);
        assertThat(node.get("available_cpu_cores").asInt()).isEqualTo(54);
        assertThat(node.get("available_memory_mb").asInt()).isEqualTo(511_000);
        assertThat(node.get("gpus").get(0).get("job_id").asText()).isEqualTo(id);
        assertThat(node.get("gpus").get(3).get("job_id").isNull()).isTrue();
        assertThat(node.get("gpus").get(3).get("health").asText()).isEqualTo("healthy");
        assertThat(node.get("gpus").get(3).get("temperature").isNull()).isTrue();
    }

    @Test
    void aNodeThatLostGpusUnderAJobNeverCountsBelowNothing() {
        nodes.join("n1", 8);
        nodes.run(rest.submit("{\"gpu_count\":8}"));
        nodes.turnsOut("n1", 4);

        JsonNode node = rest.get("/api/v1/nodes/n1").json();
        assertThat(node.get("total_gpus").asInt()).isEqualTo(4);
        assertThat(node.get("available_gpus").asInt()).isZero();
        JsonNode status = rest.get("/api/v1/cluster/status").json();
        assertThat(status.get("available_gpus").asInt()).isZero();
        assertThat(status.get("used_gpus").asInt()).isEqualTo(4);
    }

    @Test
    void everyHolderOfASharedGpuIsShown() {
        nodes.join("n1", 1);
        String one = rest.submit("{\"gpu_percent\":40}");
        String other = rest.submit("{\"gpu_percent\":25}");
        JsonNode holders = rest.get("/api/v1/nodes/n1").json().at("/gpus/0/holders");
        assertThat(holders.findValuesAsText("job_id")).containsExactly(one, other);
        assertThat(holders.findValuesAsText("part")).containsExactly("40 %", "25 %");
    }

    @Test
    void aCordonedNodeGetsNoWorkAndADrainedOneLosesIt() {
        nodes.join("n1", 4);
        assertThat(rest.post("/api/v1/nodes/n1/cordon", "").field("state")).isEqualTo("cordoned");
        assertThat(rest.get("/api/v1/cluster/status").field("available_gpus")).isEqualTo("0");
        String id = rest.submit("{}");
        assertThat(rest.job(id).get("state").asText()).isEqualTo("pending");
        assertThat(rest.post("/api/v1/nodes/n1/uncordon", "").field("state")).isEqualTo("ready");
        assertThat(rest.job(id).get("state").asText()).isEqualTo("scheduled");
        nodes.run(id);

        var stopped = rest.post("/api/v1/nodes/n1/drain", "{\"stop\":true}");
        assertThat(stopped.field("state")).isEqualTo("draining");
        assertThat(rest.delete("/api/v1/nodes/n1").status()).isEqualTo(409);
        nodes.end(id, 143);
        assertThat(rest.job(id).get("state").asText()).isEqualTo("preempted");
        assertThat(rest.job(id).get("preempted_count").asInt()).isZero();
        assertThat(rest.job(id).get("drained_count").asInt()).isEqualTo(1);
        assertThat(rest.get("/api/v1/nodes/n1").field("state")).isEqualTo("drained");
        var tooEarly = rest.delete("/api/v1/nodes/n1");
        assertThat(tooEarly.status())
                .as("its agent is there and would not join again")
                .isEqualTo(409);
        assertThat(tooEarly.field("hint")).contains("stop its agent");
        nodes.silence("n1");
        assertThat(rest.delete("/api/v1/nodes/n1").status()).isEqualTo(200);
        assertThat(rest.get("/api/v1/nodes/n1").status()).isEqualTo(404);
    }

    @Test
    void aDrainLetsRunningJobsFinish() {
        nodes.join("n1", 4);
        String id = rest.submit("{}");
        nodes.run(id);
        JsonNode draining =
                rest.post("/api/v1/nodes/n1/drain", "{\"deadline_seconds\":3600}").json();
        assertThat(draining.get("state").asText()).isEqualTo("draining");
        assertThat(draining.get("closed_reason").asText()).startsWith("drained by ");
        assertThat(draining.get("drain_deadline").isNull()).isFalse();
        assertThat(rest.job(id).get("state").asText()).isEqualTo("running");
        assertThat(rest.post("/api/v1/nodes/n1/drain", "").json().get("drain_deadline").isNull())
                .isTrue();
        nodes.end(id, 0);
        assertThat(rest.job(id).get("state").asText()).isEqualTo("completed");
        assertThat(rest.get("/api/v1/nodes/n1").field("state")).isEqualTo("drained");
        assertThat(rest.get("/api/v1/cluster/status").field("drained_nodes")).isEqualTo("1");
    }

    @Test
    void theOlderWayToStopJobsStillWorksAndAContradictionIsRefused() {
        nodes.join("n1", 4);
        String id = rest.submit("{}");
        nodes.run(id);
        var both = rest.post("/api/v1/nodes/n1/drain", "{\"stop\":true,\"deadline_seconds\":1}");
        assertThat(both.status()).isEqualTo(400);
        rest.post("/api/v1/nodes/n1/drain?evict=true", "");
        nodes.end(id, 143);
        assertThat(rest.job(id).get("drained_count").asInt()).isEqualTo(1);
    }

    @Test
    @Tag("long")
    void aNodeThatTheSchedulerCordonedIsShownAsSuch() {
        nodes.join("n1", 2);
        nodes.join("n2", 8);
        var jobs = new ArrayList<String>();
        for (int i = 0; i < 3; i++) {
            jobs.add(rest.submit("{}"));
            nodes.refuse(jobs.getLast(), "no driver");
            assertThat(rest.job(jobs.getLast()).at("/avoided_nodes/0/node").asText())
                    .isEqualTo("n1");
        }
        for (String id : jobs) {
            while (!rest.job(id).get("state").asText().equals("scheduled")) {
                Thread.onSpinWait(); // It is tried again after 10 seconds.
            }
            nodes.run(id);
        }
        JsonNode node = rest.get("/api/v1/nodes/n1").json();
        assertThat(node.get("state").asText()).isEqualTo("cordoned");
        assertThat(node.get("closed_by").asText()).isEqualTo("scheduler");
        assertThat(node.get("cordoned_by_scheduler").asBoolean()).isTrue();
        assertThat(node.get("refused_starts").asInt()).isEqualTo(3);
        assertThat(node.get("closed_reason").asText()).contains("3 jobs", "no driver");
        assertThat(rest.post("/api/v1/nodes/n1/uncordon", "").field("state")).isEqualTo("ready");
        assertThat(rest.get("/api/v1/nodes/n1").field("refused_starts")).isEqualTo("0");
    }

    @Test
    void theClusterIsSummedUp() {
        nodes.join("n1", 8);
        rest.submit("{\"gpu_count\":6}");
        rest.submit("{\"gpu_count\":6}");

        assertThat(rest.get("/api/v1/cluster/status").text())
                .isEqualTo(
                        "{\"total_gpus\":8,\"available_gpus\":2,\"total_nodes\":1,"
                                + "\"online_nodes\":1,\"total_jobs\":2,\"pending_jobs\":1,"
                                + "\"running_jobs\":1,\"used_gpus\":6,\"unreachable_nodes\":0,"
                                + "\"lost_nodes\":0,\"cordoned_nodes\":0,\"draining_nodes\":0,"
                                + "\"drained_nodes\":0}\n");
    }
}
