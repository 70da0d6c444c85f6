package io.gpusched.gateway.binding;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Examples of the test suite that Amazon publishes for Signature Version 4.
final class AwsSignatureTest {
    private static final Instant NOW = Instant.parse("2015-08-30T12:36:00Z");
    private static final AwsSignature SIGNATURE =
            new AwsSignature(
                    "AKIDEXAMPLE",
                    "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                    "",
                    "us-east-1",
                    "service");

    @ParameterizedTest
    @CsvSource({
        "GET, '', '', '', 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
        "POST, '', '', '', 5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
        "POST, my-header1, VALUE1, '',"
                + " cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d",
        "POST, content-type, application/x-www-form-urlencoded, Param1=value1,"
                + " ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
    })
    void signaturesEqualThePublishedOnes(
            String method, String header, String value, String body, String expected) {
        var headers = new TreeMap<String, String>();
        if (!header.isEmpty()) {
            headers.put(header, value);
        }
        SortedMap<String, String> signed =
                SIGNATURE.headers(method, "example.amazonaws.com", "/", headers, body, NOW);
        String names = header.isEmpty() ? "" : header + ";";
        assertThat(signed)
                .containsAllEntriesOf(headers)
                .containsEntry("x-amz-date", "20150830T123600Z")
                .doesNotContainKey("host");
        String list =
                header.compareTo("host") < 0
                        ? names + "host;x-amz-date"
                        : "host;" + names + "x-amz-date";
        assertThat(signed.get("authorization"))
                .isEqualTo(
                        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/"
                                + "aws4_request, SignedHeaders="
                                + list
                                + ", Signature="
                                + expected);
    }

    @ParameterizedTest
    @CsvSource({"x-amz-security-token"})
    void aSessionTokenIsSignedAsWell(String header) {
        var temporary = new AwsSignature("AKID", "secret", "session", "eu-west-1", "sqs");
        SortedMap<String, String> signed =
                temporary.headers("POST", "h", "/", new TreeMap<>(Map.of()), "{}", NOW);
        assertThat(signed).containsEntry(header, "session");
        assertThat(signed.get("authorization")).contains("host;x-amz-date;" + header + ",");
        assertThat(temporary).hasToString("signature for sqs in eu-west-1");
    }
}
