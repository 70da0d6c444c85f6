package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.imageio.ImageIO;

final class PlotCommandTest {
    @TempDir private Path folder;
    private Path csv = Path.of("");

    @BeforeEach
    void write() throws IOException {
        csv = folder.resolve("run.csv");
        Files.write(
                csv,
                List.of(
                        "update,timesteps,mean_ep_return,eval_mean_return,loss",
                        "1,2048,nan,nan,-0.1",
                        "2,4096,0.2,0.412,0.1",
                        "3,6144,0.4,nan,0.0"));
    }

    @Test
    void theImageAndThePageAreWrittenBesideTheCurve() throws IOException {
        Ran ran = Ran.lab("plot", csv.toString());
        assertThat(ran.code()).as(ran.err()).isZero();
        Path image = folder.resolve("run.png");
        Path page = folder.resolve("run.html");
        assertThat(ran.out().lines()).containsExactly("Image: " + image, "Page: " + page);
        assertThat(ImageIO.read(image.toFile()).getWidth()).isEqualTo(1920);
        assertThat(Files.readString(page))
                .contains("prefers-color-scheme: dark", "evaluation after 4,096 steps: 0.412")
                .contains("3 updates, 1 evaluations")
                .doesNotContain("http");
    }

    @Test
    void theNameOfTheImageMayBeGiven() {
        Path image = folder.resolve("curve.png");
        Ran ran = Ran.lab("plot", csv.toString(), "--out", image.toString());
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(image).isNotEmptyFile();
        assertThat(folder.resolve("curve.html")).isNotEmptyFile();
    }

    @Test
    void whatCannotBeDrawnIsNamed() {
        assertThat(Ran.lab("plot", folder.resolve("none.csv").toString()).err())
                .contains("cannot read", "there is no");
        assertThat(Ran.lab("plot", csv.toString(), "--out", "x.jpg").err())
                .contains("--out: expected a name that ends in .png, found x.jpg");
        assertThat(Ran.lab("plot", csv.toString(), "--smooth-window", "0").err())
                .contains("--smooth-window: expected 1 to");
    }
}
