package io.gpusched.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DocLinesTest {
    private static final String WORDS = "word ".repeat(18).strip();

    @Test
    void aLineThatFitsIsLeftAlone() {
        String source = "/// short\n/// and short\nclass A {}\n";
        assertThat(DocLines.wrap(source)).isEqualTo(source);
    }

    @Test
    void aWideParagraphIsWrappedToItsEnd() {
        assertThat(DocLines.wrap("    /// " + WORDS + " and more\n    /// of it.\n"))
                .isEqualTo("    /// " + WORDS + "\n    /// and more of it.\n");
    }

    @Test
    void aBlankLineEndsAParagraph() {
        assertThat(DocLines.wrap("/// " + WORDS + " very long\n///\n/// next\n"))
                .isEqualTo("/// " + WORDS + " very\n/// long\n///\n/// next\n");
    }

    @Test
    void anItemHangsBelowItsMarker() {
        assertThat(DocLines.wrap("/// - " + WORDS + " longer item\n/// - next\n"))
                .isEqualTo("/// - " + WORDS + "\n///   longer item\n/// - next\n");
    }

    @Test
    void codeIsNeverWrapped() {
        String source = "/// See:\n///\n///     " + WORDS + " " + WORDS + "\nclass A {}\n";
        assertThat(DocLines.wrap(source)).isEqualTo(source);
    }

    @Test
    void textThatWasCutOffIsTakenBack() {
        assertThat(DocLines.wrap("/// One run of it\n// started\n/// here.\nclass A {}\n"))
                .isEqualTo("/// One run of it started here.\nclass A {}\n");
    }

    @Test
    void ordinaryCommentsStay() {
        String source = "// " + WORDS + " " + WORDS + "\nclass A {}\n// end\n";
        assertThat(DocLines.wrap(source)).isEqualTo(source);
    }
}
