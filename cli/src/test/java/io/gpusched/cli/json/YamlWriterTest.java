package io.gpusched.cli.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class YamlWriterTest {

    @Test
    void documentsAreWrittenInBlocks() {
        Json job =
                JsonParser.read(
                        """
                        {"id":"job-1","gpus":[0,1],"labels":{"team":"vision"},"none":null,
                         "empty":[],"nothing":{},"ok":true,
                         "taints":[{"key":"gpu","effect":"NoSchedule"}]}
                        """);

        assertThat(YamlWriter.write(job))
                .isEqualTo(
                        """
                        id: job-1
                        gpus:
                          - 0
                          - 1
                        labels:
                          team: vision
                        none: null
                        empty: []
                        nothing: {}
                        ok: true
                        taints:
                          -
                            key: gpu
                            effect: NoSchedule
                        """);
    }

    @Test
    void textsThatCouldBeTakenForSomethingElseAreQuoted() {
        Json texts =
                JsonParser.read(
                        """
                        ["true","No","12","1e3","","- a","a: b","#x","2025-01-01T00:00:00Z",
                         " x","x ","a\\nb","null","~","@x","plain words"]
                        """);

        assertThat(YamlWriter.write(texts))
                .isEqualTo(
                        """
                        - "true"
                        - "No"
                        - "12"
                        - "1e3"
                        - ""
                        - "- a"
                        - "a: b"
                        - "#x"
                        - "2025-01-01T00:00:00Z"
                        - " x"
                        - "x "
                        - "a\\nb"
                        - "null"
                        - "~"
                        - "@x"
                        - plain words
                        """);
    }
}
