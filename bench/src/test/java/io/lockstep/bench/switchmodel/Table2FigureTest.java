package io.lockstep.bench.switchmodel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.drawing.FigurePoint;
import io.lockstep.bench.drawing.SvgTexts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class Table2FigureTest {
  @Test
  void table2HasACellForEachPointAndThePapersNumberWhereItDiffers() throws Exception {
    Document picture =
        SvgTexts.parsed(
            Table2Figure.svg(
                List.of(
                    new FigurePoint("table2", "2920", "in_port", 460, "hardware rules", 460.0),
                    new FigurePoint("table2", "2920", "eth_src", 7, "hardware rules", 0.0),
                    new FigurePoint("table2", "5700", "in_port", 0, "hardware rules", null)),
                "commit 1234"));
    assertThat(picture.getDocumentElement().getTextContent())
        .contains("commit 1234", "2920", "up to eth_src", "460", "7 (0)", "0 (not known)");
    assertThat(picture.getElementsByTagName("rect").getLength()).isEqualTo(4);
  }
}
