package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;

import io.gpusched.server.agents.LoopbackAgent;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// The recipes for distributed training in `docs/guide/distributed-training.md`, run as they are
/// written there on two nodes with four GPUs each. The stand-ins for `torchrun` and `python` treat
/// the environment as the real ones do: each process must find the GPU with the number
/// `LOCAL_RANK`.
@Timeout(120)
final class TorchrunTest {
    private static final String ONE_PER_GPU = "LOCAL_RANK=0 python train.py";
    private static final String ONE_PER_NODE =
            "torchrun --nnodes=$WORLD_SIZE --node-rank=$RANK --nproc-per-node=4"
                    + " --master-addr=$MASTER_ADDR --master-port=$MASTER_PORT train.py";
    private static final String ONE_NODE = "torchrun --standalone --nproc-per-node=4 train.py";

    private static final String TORCHRUN =
            """
            #!/bin/sh
            nnodes=1 node=0
            for word; do
                case $word in
                    --nnodes=*) nnodes=${word#*=} ;;
                    --node-rank=*) node=${word#*=} ;;
                    --nproc-per-node=*) each=${word#*=} ;;
                    --master-addr=*) MASTER_ADDR=${word#*=} ;;
                    --master-port=*) MASTER_PORT=${word#*=} ;;
                    --standalone) MASTER_ADDR=localhost MASTER_PORT=0 ;;
                    -*) echo "unknown option $word" >&2; exit 2 ;;
                    *) script=$word ;;
                esac
            done
            WORLD_SIZE=$((nnodes * each))
            export WORLD_SIZE MASTER_ADDR MASTER_PORT
            LOCAL_RANK=0
            while [ $LOCAL_RANK -lt $each ]; do
                RANK=$((node * each + LOCAL_RANK))
                export RANK LOCAL_RANK
                python $script || exit 1
                LOCAL_RANK=$((LOCAL_RANK + 1))
            done
            """;
    private static final String PYTHON =
            """
            #!/bin/sh
            [ "$1" = train.py ] && [ -n "$MASTER_ADDR" ] && [ -n "$MASTER_PORT" ] || exit 3
            device=$(echo "$CUDA_VISIBLE_DEVICES" | cut -d, -f$((LOCAL_RANK + 1)))
            [ -n "$device" ] || { echo "no GPU $LOCAL_RANK in $CUDA_VISIBLE_DEVICES"; exit 4; }
            case $CUDA_VISIBLE_DEVICES in
                *,*) ;;
                *) [ "$LOCAL_RANK" = 0 ] || { echo "no GPU $LOCAL_RANK"; exit 4; } ;;
            esac
            echo "$RANK/$WORLD_SIZE $GPU_SCHEDULER_NODE_ID:$device $MASTER_ADDR:$MASTER_PORT" >> RESULT
            """;

    @TempDir Path temp;
    private Running rest;
    private List<LoopbackAgent> agents = List.of();

    @BeforeEach
    void start() throws IOException {
        rest = Running.in(temp.resolve("data"));
        int port = rest.server().grpcPort();
        agents = List.of(new LoopbackAgent("n1", temp, port), new LoopbackAgent("n2", temp, port));
        Soon.that(
                "both nodes are there",
                () -> rest.get("/api/v1/cluster/status").field("online_nodes").equals("2"));
        Files.createDirectory(temp.resolve("bin"));
        program("torchrun", TORCHRUN);
        program("python", PYTHON.replace("RESULT", temp.resolve("result").toString()));
    }

    @AfterEach
    void stop() {
        agents.forEach(LoopbackAgent::close);
        rest.close();
    }

    @Test
    void oneTaskForEachGpu() throws IOException {
        List<String> lines = run(ONE_PER_GPU, Map.of("gpu_count", 8, "tasks", 8));
        assertThat(lines).hasSize(8);
        assertThat(column(lines, 0)).containsExactlyInAnyOrderElementsOf(ranks(8));
        assertThat(column(lines, 1)).containsExactlyInAnyOrderElementsOf(everyGpu());
        assertThat(column(lines, 2)).hasSize(8).containsOnly(column(lines, 2).getFirst());
        assertThat(column(lines, 2).getFirst()).matches("127\\.0\\.0\\.1:[1-9][0-9]+");
    }

    @Test
    void oneTorchrunForEachNode() throws IOException {
        List<String> lines = run(ONE_PER_NODE, Map.of("gpu_count", 8, "tasks", 2));
        assertThat(column(lines, 0)).containsExactlyInAnyOrderElementsOf(ranks(8));
        assertThat(column(lines, 1)).containsExactlyInAnyOrderElementsOf(everyGpu());
        assertThat(column(lines, 2)).containsOnly(column(lines, 2).getFirst());
        assertThat(column(lines, 2).getFirst()).matches("127\\.0\\.0\\.1:[1-9][0-9]+");
    }

    @Test
    void oneTorchrunOnOneNode() throws IOException {
        List<String> lines = run(ONE_NODE, Map.of("gpu_count", 4));
        assertThat(column(lines, 0)).containsExactlyElementsOf(ranks(4));
        assertThat(column(lines, 1)).doesNotHaveDuplicates();
    }

    @Test
    void aJobThatChoosesItsOwnGpusIsWarnedThatItCannot() {
        var answer =
                rest.post(
                        "/api/v1/jobs",
                        "{\"script\":\"true\",\"environment\":{\"CUDA_VISIBLE_DEVICES\":\"3\"}}");
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.json().get("warnings").toString())
                .contains("CUDA_VISIBLE_DEVICES")
                .contains("is not used");
        var other =
                rest.post("/api/v1/jobs", "{\"script\":\"true\",\"environment\":{\"A\":\"3\"}}");
        assertThat(other.text()).doesNotContain("is not used");
    }

    private List<String> run(String recipe, Map<String, Integer> size) throws IOException {
        assertThat(Files.readString(Path.of("../docs/guide/distributed-training.md")))
                .contains(recipe);
        var job = new ObjectMapper().createObjectNode();
        job.put("script", "PATH=" + temp.resolve("bin") + ":$PATH; export PATH; " + recipe);
        job.put("gang_scheduling", size.containsKey("tasks"));
        size.forEach(job::put);
        String id = rest.submit(job.toString());
        Soon.that(
                "the job ends",
                () -> rest.job(id).get("state").asText().matches("completed|failed"));
        assertThat(rest.job(id).get("exit_code").asInt())
                .as(rest.get("/api/v1/jobs/" + id + "/logs").text())
                .isZero();
        return Files.readAllLines(temp.resolve("result"));
    }

    private void program(String name, String text) throws IOException {
        Path file = Files.writeString(temp.resolve("bin").resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static List<String> column(List<String> lines, int at) {
        return lines.stream().map(line -> line.split(" ")[at]).toList();
    }

    private static List<String> ranks(int count) {
        return IntStream.range(0, count).mapToObj(rank -> rank + "/" + count).toList();
    }

    private static List<String> everyGpu() {
        return List.of("n1:0", "n1:1", "n1:2", "n1:3", "n2:0", "n2:1", "n2:2", "n2:3");
    }
}
