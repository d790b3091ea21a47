/* svg_page.h -- lengths and colours that all pictures as SVG share */

#ifndef GPUHIST_SVG_PAGE_H
#define GPUHIST_SVG_PAGE_H

/* All lengths are in CSS pixels, 96 to an inch. */
#define PAGE_WIDTH 800
#define TITLE_HEIGHT 34

/* Margins around the area of the bars or cells. */
#define MARGIN_LEFT 84
#define MARGIN_TOP 36

#define BAR_COLOUR "#3b78b5"
#define FLOW_COLOUR "#d98b2b"
#define NEGATIVE_COLOUR "#c0392b"

#endif
