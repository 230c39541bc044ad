import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { go } from "./address";

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to: string;
  replace?: boolean;
}

/** A link within the page. Modified clicks open a tab, as with any link. */
export function Link({ to, replace, onClick, ...rest }: Props) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !plain) return;
    event.preventDefault();
    go(to, { replace });
  }
  return <a href={to} onClick={follow} {...rest} />;
}
