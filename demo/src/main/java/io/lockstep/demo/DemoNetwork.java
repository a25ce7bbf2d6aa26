package io.lockstep.demo;

import io.lockstep.demo.screen.FlowList;
import io.lockstep.demo.screen.Picture;
import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The network that the demo's nodes control. */
interface DemoNetwork extends AutoCloseable {

  /** Its domains with their switches. */
  List<DomainPlan> domains();

  /** How many hosts it has. */
  int hosts();

  /** How many links between switches it has, each direction counted. */
  int directedLinks();

  /** The name of a link between switches, numbered from 0 to half of {@link #directedLinks}. */
  String linkName(int link);

  /** Cuts or restores a link. */
  void setLink(int link, boolean up);

  /**
   * Moves a host, numbered from 0, to another switch, each time to the next one of its way round.
   *
   * @return the move in words
   */
  String moveHost(int host);

  /** The hosts, each at the switch where the nodes that report see it. */
  List<Picture.Host> places(List<NodeReport> reports);

  /** The flow entries of a switch, numbered from 0; read on the thread of the switch. */
  CompletableFuture<FlowList> flows(int number);

  /** Sends pings between hosts, which are numbered from 0. */
  PingBoard.Pinger pinger();

  /** Starts the switches; each connects to all these controllers and keeps trying. */
  void start(List<InetSocketAddress> controllers);

  @Override
  void close();
}
