import { Component, type ReactNode } from "react";
import { Problem } from "../parts/States";

/** Keeps a fault of one view from taking the page with it. */
export class Crashes extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <Problem title="The page has a fault here." error={this.state.error} retry={() => this.setState({ error: null })} />;
  }
}
