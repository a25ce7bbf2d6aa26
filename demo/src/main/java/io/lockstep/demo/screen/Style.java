package io.lockstep.demo.screen;

/** How text is shown where colours are wanted. */
enum Style {
  PLAIN(""),
  BOLD("\033[1m"),
  DIM("\033[2m"),
  RED("\033[31m"),
  GREEN("\033[32m"),
  CYAN("\033[36m"),
  MAGENTA("\033[35m");

  static final String OFF = "\033[0m";

  private static final Style[] NODES = {GREEN, CYAN, MAGENTA};

  final String on;

  Style(String on) {
    this.on = on;
  }

  /** The colour of a node, numbered from 0; red for -1, which stands for no node. */
  static Style ofNode(int node) {
    return node < 0 ? RED : NODES[node % NODES.length];
  }
}
