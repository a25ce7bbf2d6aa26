package io.lockstep.bench.drawing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class BarPanelTest {
  private static String drawn(BarPanel panel) throws Exception {
    SvgPicture picture = new SvgPicture(500, (int) Math.ceil(panel.height()));
    panel.draw(picture, new Area(0, 0, 500, panel.height()));
    SvgTexts.assertLegible(picture.xml());
    return picture.xml();
  }

  @Test
  void aBarAboveTheLimitIsCutAndKeepsItsNumber() throws Exception {
    BarPanel panel = new BarPanel("bars", "k flows/s", 100);
    panel.heading("group");
    panel.add("short", List.of(Bar.of(40, BarFill.DARK, new Interval(30, 50), "40")));
    panel.add("long", List.of(Bar.of(9999, BarFill.DARK, null, "9999")));
    assertThat(drawn(panel)).contains("group", "short", "9999", "<polygon").doesNotContain(">200<");
  }

  @Test
  void nothingIsCutWithoutALimit() throws Exception {
    BarPanel panel = new BarPanel("", "B", Double.MAX_VALUE);
    panel.add(
        "two parts",
        List.of(
            new Bar(
                List.of(new Bar.Part(60, BarFill.DARK), new Bar.Part(40, BarFill.LIGHT)),
                null,
                "100 B"),
            new Bar(List.of(), null, "no trace")));
    assertThat(drawn(panel)).contains("100 B", "no trace").doesNotContain("<polygon");
  }

  @Test
  void aNameWithoutBarsIsRefused() {
    BarPanel panel = new BarPanel("", "B", 1);
    assertThatThrownBy(() -> panel.add("none", List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none");
  }
}
