package io.lockstep.openflow.channel;

import org.projectfloodlight.openflow.protocol.OFMessage;

/** A question to a switch that waits for its answer. On the event loop. */
interface Request {
  /** A reply with the request's transaction id; true where no more is to come. */
  boolean onReply(OFMessage reply);

  /** The switch answered with an error, readable; no more is to come. */
  void onError(String error);

  /** No answer will be taken any more: time-out or end of the connection. */
  void onLost(String reason);
}
