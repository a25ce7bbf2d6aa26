package io.lockstep.bench.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The texts of an SVG picture with the room that each takes in a wide font. */
public final class SvgTexts {
  private SvgTexts() {}

  private record Text(String content, Area area) {}

  /** The picture as XML; a picture that is not well-formed fails the test. */
  public static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  /** Fails where a text leaves the picture or covers another one. */
  public static void assertLegible(String svg) throws Exception {
    Document document = parsed(svg);
    Element root = document.getDocumentElement();
    Area picture = new Area(0, 0, number(root, "width"), number(root, "height"));
    List<Text> texts = texts(document);
    assertThat(texts).isNotEmpty();
    for (int i = 0; i < texts.size(); i++) {
      Text text = texts.get(i);
      assertThat(picture.contains(text.area())).as("%s is inside of %s", text, picture).isTrue();
      for (Text other : texts.subList(0, i)) {
        assertThat(text.area().overlaps(other.area())).as("%s covers %s", text, other).isFalse();
      }
    }
  }

  private static List<Text> texts(Document document) {
    List<Text> texts = new ArrayList<>();
    NodeList elements = document.getElementsByTagName("text");
    for (int i = 0; i < elements.getLength(); i++) {
      Element element = (Element) elements.item(i);
      String size = element.getAttribute("font-size");
      double x = number(element, "x");
      double y = number(element, "y");
      boolean upright = element.hasAttribute("transform");
      Area area =
          TextSize.area(
              upright ? 0 : x,
              upright ? 0 : y,
              anchor(element),
              element.getTextContent(),
              size.isEmpty() ? SvgPicture.FONT_PIXELS : Double.parseDouble(size),
              element.hasAttribute("font-weight"));
      texts.add(
          new Text(
              element.getTextContent(),
              upright
                  ? new Area(x + area.top(), y + area.left(), x + area.bottom(), y + area.right())
                  : area));
    }
    return texts;
  }

  private static Anchor anchor(Element element) {
    for (Anchor anchor : Anchor.values()) {
      if (anchor.attribute().equals(element.getAttribute("text-anchor"))) {
        return anchor;
      }
    }
    throw new AssertionError("no anchor: " + element.getTextContent());
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }
}
