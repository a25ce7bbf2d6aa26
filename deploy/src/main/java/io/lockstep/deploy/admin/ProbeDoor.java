package io.lockstep.deploy.admin;

import java.util.Map;

/** What the admin HTTP does for {@code switch probe}; called on its threads, may block. */
public interface ProbeDoor {
  /** The path. */
  String PATH = "/api/v1/probe";

  /**
   * What a request that changes something has to carry, with any value: a web page that a browser
   * shows cannot send it elsewhere unasked.
   */
  String HEADER = "X-Lockstep";

  /** An answer: a status of HTTP, and a body that becomes JSON. */
  record Answer(int status, Object body) {}

  /** The last probe of this node, or the one that is on. */
  Answer state();

  /**
   * Says what a probe would mean, or begins one.
   *
   * @param query {@code switch} (a device id), {@code tables} (numbers, by commas), {@code begin}
   *     and {@code despiteOthers} (true or false)
   */
  Answer ask(Map<String, String> query);
}
