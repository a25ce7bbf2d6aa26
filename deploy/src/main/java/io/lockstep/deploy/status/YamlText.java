package io.lockstep.deploy.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * JSON as YAML (1.2, block style). Texts that could be read as something else are quoted as JSON
 * quotes them, which YAML reads alike. Pure.
 */
public final class YamlText {
  /** Begins with a letter and has nothing that YAML gives a meaning to. */
  private static final Pattern PLAIN =
      Pattern.compile("(?i)(?!(?:true|false|yes|no|on|off|null|y|n)$)[a-z][a-z0-9_./-]*");

  private YamlText() {}

  /** The lines of a document. */
  public static List<String> lines(JsonNode node) {
    List<String> lines = new ArrayList<>();
    if (isLeaf(node)) {
      lines.add(leaf(node));
    } else {
      add(lines, "", "", node);
    }
    return lines;
  }

  private static boolean isLeaf(JsonNode node) {
    return !node.isContainerNode() || node.isEmpty();
  }

  /**
   * Adds an object or a list that has something in it.
   *
   * @param first what stands before its first line
   * @param rest what stands before the others, as wide
   */
  private static void add(List<String> lines, String first, String rest, JsonNode node) {
    String before = first;
    if (node.isArray()) {
      for (JsonNode one : node) {
        if (isLeaf(one)) {
          lines.add(before + "- " + leaf(one));
        } else {
          add(lines, before + "- ", rest + "  ", one);
        }
        before = rest;
      }
      return;
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      String key = before + text(field.getKey()) + ":";
      if (isLeaf(field.getValue())) {
        lines.add(key + " " + leaf(field.getValue()));
      } else {
        lines.add(key);
        add(lines, rest + "  ", rest + "  ", field.getValue());
      }
      before = rest;
    }
  }

  private static String leaf(JsonNode node) {
    return node.isTextual() ? text(node.asText()) : node.toString();
  }

  private static String text(String text) {
    return PLAIN.matcher(text).matches()
        ? text
        : com.fasterxml.jackson.databind.node.TextNode.valueOf(text).toString();
  }
}
